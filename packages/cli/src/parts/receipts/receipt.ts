import type { ReceiptFinding } from '@touchstone/certificate/receipt';
import { verifyReceipt } from '@touchstone/certificate/receipt';
import type { Command } from 'commander';
import { EXIT, usage } from '../../cli-error.ts';
import { readInput } from '../../files.ts';
import { labelled } from '../../output/signed.ts';
import { list, safe } from '../../output/text.ts';
import { reasonOf } from '../../problem.ts';
import type { Session } from '../../session.ts';
import type { GlobalOptions } from '../../settings.ts';
import { trustOptions } from '../../verify/options.ts';
import { asCliError, readIssuers, stoppable, type TrustOptions } from '../../verify/trust.ts';

interface ReceiptOptions extends GlobalOptions, TrustOptions {
  readonly answer?: string;
  readonly request?: string;
  readonly page?: string;
}

export function addReceipt(program: Command, session: Session): void {
  const receipt = program
    .command('receipt')
    .description('Receipts: what a service answered about a page or a certificate, and when.');
  const verify = receipt
    .command('verify')
    .description('Verify a receipt locally; only keys are requested, and none with --jwks.')
    .argument('<file>', 'the receipt, its JWS, or the answer that contains it; - for standard input')
    .option('--answer <file>', 'the answer, if the first file does not contain it')
    .option('--request <file>', 'the body of the request')
    .option('--page <file>', 'the bytes of the page')
    .action((file: string, _: unknown, command: Command) =>
      verifyFile(session, file, command.optsWithGlobals<ReceiptOptions>()),
    );
  for (const option of trustOptions()) verify.addOption(option);
}

async function verifyFile(session: Session, file: string, options: ReceiptOptions): Promise<void> {
  const { io } = session;
  const text = (path: string) => readInput(path, io).then((bytes) => new TextDecoder().decode(bytes));
  const json = async (path: string | undefined) =>
    path === undefined ? undefined : parsed(await text(path), path);
  const receipt = receiptOf((await text(file)).trim());
  const answer = (await json(options.answer)) ?? answerWith(receipt);
  const request = await json(options.request);
  const page = options.page === undefined ? undefined : await readInput(options.page, io);
  const trusting = await readIssuers(options, io);
  const given = { answer, request, page, now: io.now(), fetch: stoppable(io) };
  const finding = await verifyReceipt(receipt, { ...trusting, ...given }).catch((error: unknown) => {
    throw asCliError(error);
  });
  session.print(options, finding, () => wordsOf(finding, session));
  session.exitCode = finding.valid ? EXIT.verified : EXIT.failed;
}

/** JSON as parsed; any other text is a JWS, or no receipt. */
function receiptOf(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`${path} is not JSON: ${reasonOf(error)}`);
  }
}

/** The answer in which the receipt was given. */
function answerWith(given: unknown): unknown {
  return typeof given === 'object' && given !== null && 'receipt' in given ? given : undefined;
}

function wordsOf({ valid, faults, claims, compared, stampedAt }: ReceiptFinding, { paint }: Session): string {
  const title = paint(
    'strong',
    valid ? paint('good', 'The receipt is genuine') : paint('bad', 'The receipt proves nothing'),
  );
  const reasons = list(
    '',
    faults.map(({ code, sentence }) => `${code}: ${sentence}`),
  );
  if (claims === undefined) return `${title}\n${reasons}`;
  const { page, log } = claims;
  const is = (same: boolean | null) => (same === null ? 'not given' : same ? 'the same' : 'another');
  const rows: (readonly [string, string | undefined])[] = [
    ['service', claims.iss],
    ['signed', new Date(claims.iat * 1000).toISOString()],
    [
      'time stamp',
      stampedAt === undefined
        ? undefined
        : `${stampedAt} (its authority is not verified here: openssl ts -verify)`,
    ],
    [
      'observed',
      claims.observed === 'fetched'
        ? 'the service fetched the page'
        : 'nothing: what was submitted is the word of whoever asked',
    ],
    ['page', page?.querySha256 === undefined ? page?.url : `${page.url} (with a query that is not shown)`],
    ['fetched', page?.fetchedAt],
    ['verdict', claims.verdict],
    ['conclusion', claims.conclusion],
    ['product', claims.productId],
    ['verifier', [claims.verifier, claims.commit].filter((text) => text !== undefined).join(' ')],
    ['log', log === undefined ? undefined : `${log.origin} ${log.index}`],
    [
      'request',
      compared.request === true && compared.query === null
        ? 'the same, but for its query, which was not given: the verdict is about that address'
        : is(compared.request),
    ],
    ['answer', is(compared.answer)],
    ['page bytes', is(compared.page)],
  ];
  return `${title}  ${safe(claims.operation)}\n${reasons}${labelled(rows, paint)}`;
}
