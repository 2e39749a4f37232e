import { MAX_PICTURE_WAIT, type PageCheckAnswer, type PageReport } from '@touchstone/contract';
import type { Command } from 'commander';
import { usage } from '../cli-error.ts';
import { createServiceClient } from '../client.ts';
import { explanationText } from '../output/explanation.ts';
import { landingView } from '../output/outcome.ts';
import { picturesText } from '../output/pictures.ts';
import { factsOf, safe } from '../output/text.ts';
import { verdictText } from '../output/verdict.ts';
import type { Session } from '../session.ts';
import { apiCredential, type GlobalOptions, nonEmpty, pageAddress, serviceUrl } from '../settings.ts';
import { mayNotPublish, whyNotPublishing } from '../verify/not-publishing.ts';
import { conclusionFor, exitOf, type RelianceOptions, relianceOptions } from '../verify/reliance.ts';

interface CheckOptions extends GlobalOptions, RelianceOptions {
  readonly fresh?: boolean;
  readonly images?: boolean;
  readonly pictures?: boolean;
  readonly explain?: boolean;
  readonly receipt?: string;
  readonly evidence?: boolean;
  readonly original?: string;
  readonly key?: string;
}

export function addCheck(program: Command, session: Session): void {
  const added = program
    .command('check')
    .description('Have the service check the certificate on a product page.')
    .argument('<url>', 'address of the product page')
    .option('--fresh', 'fetch the page now instead of using a recent observation (10 a minute)')
    .option('--images', 'also show which images of the page are certified')
    .option('--pictures', 'also show for which other shops pictures of the page are certified')
    .option('--explain', 'also show the candidates for each fact, and why one was chosen')
    .option('--receipt <file>', 'have the service sign a receipt, and write it with its answer to this file')
    .option(
      '--evidence',
      'have the service keep the page for the merchant of the API key: touchstone evidence list',
    )
    .option(
      '--original <uuid>',
      'with --evidence: your product that the page copies (default: the one whose certificate it carries)',
    )
    .option(
      '--key <key>',
      'API key (TOUCHSTONE_KEY): also show why a product of yours publishes no certificate',
    )
    .action(async (url: string, _: unknown, command: Command) => {
      await check(session, url, command.optsWithGlobals<CheckOptions>());
    });
  for (const option of relianceOptions()) added.addOption(option);
}

async function check(session: Session, url: string, options: CheckOptions): Promise<void> {
  const { io } = session;
  const page = pageAddress(url, 'The page');
  const baseUrl = serviceUrl(options, io.env);
  if (options.original !== undefined && options.evidence !== true)
    throw usage('--original is for --evidence.');
  const client = createServiceClient({
    baseUrl,
    io,
    nameOf: session.nameOf,
    // otherwise the page is checked for anyone
    ...(options.evidence === true ? { credential: apiCredential(options, io.env, baseUrl) } : {}),
  });
  const freshness = options.fresh === true ? 'fresh' : 'cached';
  const report = await client.call('checkPage', {
    body: {
      url: page,
      freshness,
      ...(options.images === true ? { images: 'match' } : {}),
      ...(options.explain === true ? { explain: true } : {}),
      ...(options.receipt === undefined ? {} : { receipt: true }),
      ...(options.evidence === true ? { evidence: true, original: options.original } : {}),
    },
  });
  // as the service answered, since the receipt is about every byte of it
  if (options.receipt !== undefined)
    await io.writeFile(options.receipt, Buffer.from(`${JSON.stringify(report, null, 2)}\n`));
  const reason = await reasonOf(report, client.baseUrl, options, session);
  const pictures =
    options.pictures === true
      ? await client.call('getPageCheckPictures', {
          params: { id: report.id },
          query: { wait: MAX_PICTURE_WAIT },
        })
      : undefined;
  const shown = {
    ...report,
    ...(pictures === undefined ? {} : { pictures }),
    ...(reason === undefined ? {} : { notPublishing: reason }),
  };
  session.print(options, shown, () => {
    const concluded = { ...report, conclusion: conclusionFor(report, options) };
    const text = relatedWords(report) + wordsOf(concluded, client.baseUrl, session);
    const more = pictures === undefined ? '' : `\n${picturesText(pictures)}`;
    return reason === undefined ? text + more : `${text}${more}${safe(reason)}\n`;
  });
  session.exitCode = exitOf(report, options);
}

/** Why the product publishes no certificate, for its merchant; others learn only that it does not. */
async function reasonOf(
  report: PageReport,
  baseUrl: string,
  options: CheckOptions,
  { io, nameOf }: Session,
): Promise<string | undefined> {
  if (!mayNotPublish(report) || (options.key ?? nonEmpty(io.env.TOUCHSTONE_KEY)) === undefined)
    return undefined;
  const credential = apiCredential(options, io.env, baseUrl);
  return whyNotPublishing(createServiceClient({ baseUrl, credential, io, nameOf }), report);
}

/** The proven hosts that the host of the page resembles: told first, since a copied shop carries no certificate. */
function relatedWords({ related = [] }: PageReport): string {
  return related
    .map(
      ({ host, provenSince }) =>
        `The host of this page resembles ${safe(host)}, which was proven by its owner (${safe(provenSince)}), and is none of its proven hosts.\n`,
    )
    .join('');
}

function wordsOf(report: PageCheckAnswer, baseUrl: string, session: Session): string {
  const { product_id: productId, issued_to: issuedTo, checks, signed, withdrawal } = report.mc4p;
  const landing = landingView(report);
  const about: (readonly [string, string])[] = [];
  about.push(...landing.about, ['fetched', report.fetched_at]);
  if (productId !== undefined) about.push(['product', productId]);
  if (issuedTo !== undefined) about.push(['issued to', issuedTo]);
  about.push(['platform', report.platform_detected]);
  for (const { name, url, expired } of report.mc4p.list ?? [])
    about.push(['lists', `${name}: ${url}${expired === true ? ' (expired)' : ''}`]);
  const { evidence } = report;
  if (evidence !== undefined) about.push(['evidence', `${evidence.id} (kept until ${evidence.expiresAt})`]);
  about.push(['report', `${baseUrl}/api/v1/mc4p/page-checks/${report.id}`]);
  const { verdict, conclusion, agreement, errors, warnings, findings } = report;
  const { claims } = report;
  const facts = factsOf(report.facts);
  const notes = { withdrawal, signed, agreement, facts, claims, errors, warnings, findings };
  const view = { verdict, conclusion, subject: landing.subject, about, checks, ...notes };
  const text = verdictText(view, session.paint);
  return report.explanation === undefined ? text : `${text}\n${explanationText(report.explanation)}`;
}
