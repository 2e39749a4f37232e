import type { Trust } from '@touchstone/certificate';
import { isUuid, type Profile } from '@touchstone/certificate/verify';
import { readFacts } from '@touchstone/facts';
import { checkPage, type ObserveOptions, openSavedPage, withoutRegistry } from '@touchstone/page';
import { type Command, Option } from 'commander';
import { usage } from '../cli-error.ts';
import { assertReadable, nameOf } from '../files.ts';
import { documentView, pageOutcome, pageView } from '../output/outcome.ts';
import { verdictText } from '../output/verdict.ts';
import type { Session } from '../session.ts';
import { pageAddress } from '../settings.ts';
import { verifyDocument } from '../verify/document.ts';
import { type LogOptions, logOptions, readLog, type TellLog } from '../verify/log.ts';
import { sourceOptions, trustOptions } from '../verify/options.ts';
import { conclusionFor, exitOf, relianceOptions } from '../verify/reliance.ts';
import { openFetcher, readFileContent, type SourceOptions } from '../verify/source.ts';
import { readTrust, type TrustOptions } from '../verify/trust.ts';
import {
  readWithdrawal,
  type TellWithdrawal,
  type WithdrawalOptions,
  withdrawalOptions,
} from '../verify/withdrawal.ts';
import { certificateOn, type ProfileOptions, profileAsked, reportProfile } from './verify-profile.ts';

interface VerifyOptions extends ProfileOptions, TrustOptions, SourceOptions, WithdrawalOptions, LogOptions {
  readonly pageUrl?: string;
}

export function addVerify(program: Command, session: Session): void {
  const added = program
    .command('verify')
    .description(
      'Verify the certificate of a page or file locally; only keys and status lists are requested from the issuer.',
    )
    .argument(
      '<target>',
      'page address; file (HTML, a certificate of any kind, or only its proof); or - for standard input',
    )
    .option(
      '--page-url <url>',
      'for a file: the address where you saw it, never one that the file names; without it nothing is verified',
    )
    .option(
      '--product-id <uuid>',
      'the expected product (default: the one that the certificate names, or for which it was signed)',
    )
    .addOption(
      new Option(
        '--profile <profile>',
        'verify by a profile: proof and site; also page and product; also the image',
      ).choices(['minimal', 'standard', 'full']),
    )
    .option('--image <file>', 'for the certificate of an image in a file: the observed image (profile full)')
    .option('--trust <file>', 'PEM certificates of the authorities whose image signers you trust')
    .action(async (target: string, _: unknown, command: Command) => {
      await verifyTarget(session, target, command.optsWithGlobals<VerifyOptions>());
    });
  for (const option of [
    ...relianceOptions(),
    ...trustOptions(),
    ...withdrawalOptions(),
    ...logOptions(),
    ...sourceOptions(),
  ])
    added.addOption(option);
}

async function verifyTarget(session: Session, target: string, options: VerifyOptions): Promise<void> {
  if (options.productId !== undefined && !isUuid(options.productId)) {
    throw usage('--product-id must be a UUID: the id of the product at the service.');
  }
  const isPage = /^https?:\/\//i.test(target);
  if (isPage && options.pageUrl !== undefined) {
    throw usage('--page-url is for files; a page is verified at the address where it is found.');
  }
  // a file that is missing is reported before options that are
  if (!isPage) await assertReadable(target, session.io);
  const profile = profileAsked(options, target);
  const trust = await readTrust(options, session.io);
  const asked: VerifyRun = {
    options,
    productId: options.productId?.toLowerCase(),
    profile,
    trust,
    tellWithdrawal: await readWithdrawal(options, trust, session.io),
    tellLog: await readLog(options, session.io),
  };
  if (!isPage) return verifyFile(session, target, asked);
  const fetch = await openFetcher(options, session.io);
  await reportPage(session, pageAddress(target, 'The page'), fetch, asked);
}

/** Options and inputs of one run. */
interface VerifyRun {
  readonly options: VerifyOptions;
  readonly productId: string | undefined;
  readonly profile: Profile | undefined;
  readonly trust: Trust;
  readonly tellWithdrawal: TellWithdrawal;
  readonly tellLog: TellLog;
}

async function verifyFile(session: Session, file: string, asked: VerifyRun): Promise<void> {
  const { options } = asked;
  const pageUrl =
    options.pageUrl === undefined ? undefined : pageAddress(options.pageUrl, 'The page (--page-url)');
  const content = await readFileContent(file, session.io);
  if (content.kind === 'document') return reportDocument(session, file, content.document, pageUrl, asked);
  if (options.image !== undefined) throw imageOfPage();
  const { bytes: body } = content;
  if (pageUrl !== undefined) {
    const fetch = async (finalUrl: string) => ({ kind: 'page', finalUrl, status: 200, body }) as const;
    return reportPage(session, pageUrl, fetch, asked);
  }
  const saved = await openSavedPage(body, { trust: asked.trust, now: session.io.now(), readFacts });
  if (saved.kind === 'certificate') return reportDocument(session, file, saved.document, undefined, asked);
  const { report } = saved.page;
  const { url: _, final_url: __, fetched_at: ___, platform_detected: ____, ...answer } = report;
  const view = { ...pageView(saved.page), subject: nameOf(file) };
  session.print(options, answer, () => verdictText(view, session.paint));
  session.exitCode = exitOf(report);
}

/** @param pageUrl - absent: nobody has said where it was seen */
async function reportDocument(
  session: Session,
  file: string,
  document: unknown,
  pageUrl: string | undefined,
  { options, productId, profile, trust, tellWithdrawal, tellLog }: VerifyRun,
): Promise<void> {
  if (profile !== undefined) {
    const found = { document, pageUrl, subject: nameOf(file) };
    return reportProfile(session, profile, found, options, { trust, tellWithdrawal, tellLog });
  }
  const now = session.io.now();
  const outcome = await verifyDocument({ document, pageUrl, trust, now, productId, tellWithdrawal, tellLog });
  const view = documentView(outcome, nameOf(file), pageUrl);
  const answer =
    outcome.kind === 'result'
      ? outcome.result
      : { verdict: outcome.kind, conclusion: view.conclusion, errors: [outcome.error] };
  session.print(options, answer, () => verdictText(view, session.paint));
  session.exitCode = exitOf(view, options);
}

/** Checks the page that `fetch` returns, and reports the result. */
async function reportPage(
  session: Session,
  url: string,
  fetch: ObserveOptions['fetch'],
  { options, productId, profile, trust, tellWithdrawal, tellLog }: VerifyRun,
): Promise<void> {
  if (options.image !== undefined) throw imageOfPage();
  const now = session.io.now();
  const checking = {
    ...withoutRegistry(trust, now, productId, async (result, document) =>
      tellLog(await tellWithdrawal(result, document, result.signed?.issuer, now), document),
    ),
    fetch,
    readFacts,
  };
  const page = await checkPage(url, checking);
  const certificate = certificateOn(page);
  if (profile !== undefined && certificate !== null) {
    return reportProfile(session, profile, certificate, options, { trust, tellWithdrawal, tellLog });
  }
  session.print(options, pageOutcome(page), () =>
    verdictText({ ...pageView(page), conclusion: conclusionFor(page.report, options) }, session.paint),
  );
  session.exitCode = exitOf(page.report, options);
}

function imageOfPage(): Error {
  return usage(
    '--image requires the certificate of that image: a page carries the certificate of its product.',
    'Get it from the address in svc:images of the page, and name the file.',
  );
}
