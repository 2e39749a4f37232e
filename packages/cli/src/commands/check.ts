import type { PageReport } from '@touchstone/contract';
import type { Command } from 'commander';
import { createServiceClient } from '../client.ts';
import { explanationText } from '../output/explanation.ts';
import { landingView } from '../output/outcome.ts';
import { factsOf } from '../output/text.ts';
import { type VerdictView, verdictText } from '../output/verdict.ts';
import type { Session } from '../session.ts';
import { type GlobalOptions, pageAddress, serviceUrl } from '../settings.ts';
import { exitOf, followHostOption, type LandingOptions, reservationOf } from '../verify/landing.ts';

interface CheckOptions extends GlobalOptions, LandingOptions {
  readonly fresh?: boolean;
  readonly images?: boolean;
  readonly explain?: boolean;
}

export function addCheck(program: Command, session: Session): void {
  program
    .command('check')
    .description('Have the service check the certificate on a product page.')
    .argument('<url>', 'address of the product page')
    .option('--fresh', 'fetch the page now instead of using a recent observation (10 a minute)')
    .option('--images', 'also show which images of the page are certified')
    .option('--explain', 'also show the candidates for each fact, and why one was chosen')
    .addOption(followHostOption())
    .action(async (url: string, _: unknown, command: Command) => {
      await check(session, url, command.optsWithGlobals<CheckOptions>());
    });
}

async function check(session: Session, url: string, options: CheckOptions): Promise<void> {
  const { io } = session;
  const page = pageAddress(url, 'The page');
  const client = createServiceClient({
    baseUrl: serviceUrl(options, io.env),
    io,
    nameOf: session.nameOf,
  });
  const freshness = options.fresh === true ? 'fresh' : 'cached';
  const report = await client.call('checkPage', {
    body: {
      url: page,
      freshness,
      ...(options.images === true ? { images: 'match' } : {}),
      ...(options.explain === true ? { explain: true } : {}),
    },
  });
  session.print(options, report, () =>
    wordsOf(report, client.baseUrl, reservationOf(report, options), session),
  );
  session.exitCode = exitOf(report, options);
}

function wordsOf(
  report: PageReport,
  baseUrl: string,
  reservation: VerdictView['reservation'],
  session: Session,
): string {
  const { product_id: productId, issued_to: issuedTo, checks, signed } = report.mc4p;
  const landing = landingView(report);
  const about: (readonly [string, string])[] = [];
  about.push(...landing.about, ['fetched', report.fetched_at]);
  if (productId !== undefined) about.push(['product', productId]);
  if (issuedTo !== undefined) about.push(['issued to', issuedTo]);
  about.push(['platform', report.platform_detected]);
  for (const { name, url, expired } of report.mc4p.list ?? [])
    about.push(['lists', `${name}: ${url}${expired === true ? ' (expired)' : ''}`]);
  about.push(['report', `${baseUrl}/api/v1/mc4p/page-checks/${report.id}`]);
  const { verdict, errors, warnings, findings } = report;
  const told = { signed, facts: factsOf(report.facts), errors, warnings, findings };
  const view = { verdict, subject: landing.subject, reservation, about, ...told };
  const text = verdictText(checks === undefined ? view : { ...view, checks }, session.paint);
  return report.explanation === undefined ? text : `${text}\n${explanationText(report.explanation)}`;
}
