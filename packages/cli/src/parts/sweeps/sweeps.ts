import type { CopyHost, CopyList, Sweep, SweepPageList } from '@touchstone/contract';
import { type Command, Option } from 'commander';
import { EXIT, type ExitCode } from '../../cli-error.ts';
import type { ServiceClient } from '../../client.ts';
import { type Paint, safe, table } from '../../output/text.ts';
import { everyItem, registryClient } from '../../registry-client.ts';
import type { Session } from '../../session.ts';
import type { GlobalOptions } from '../../settings.ts';

interface SweepOptions extends GlobalOptions {
  readonly key?: string;
  readonly begin?: boolean;
  readonly pages?: SweepPageList['pages'][number]['result'] | true;
  readonly drifted?: boolean;
  readonly copies?: boolean;
}

const RESULTS = ['verified', 'stale', 'expired', 'lost', 'missing', 'failed', 'unreachable'];

export function addSweeps(program: Command, session: Session): void {
  program
    .command('sweeps')
    .description('Show the results of the periodic checks of a store’s pages, with the next steps.')
    .argument('<store-id>', 'the store')
    .addOption(
      new Option('--begin', 'start to fetch and check all pages again').conflicts(['pages', 'copies']),
    )
    .addOption(
      new Option('--pages [result]', 'list pages, optionally with one result')
        .choices(RESULTS)
        .conflicts('copies'),
    )
    .addOption(
      new Option('--drifted', 'list pages that state something else than the catalogue').conflicts([
        'begin',
        'copies',
      ]),
    )
    .option('--copies', "list certificates, pictures and names found on hosts that are not the merchant's")
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .action((storeId: string, _: unknown, command: Command) =>
      printSweep(session, storeId, command.optsWithGlobals<SweepOptions>()),
    );
}

async function printSweep(session: Session, storeId: string, options: SweepOptions): Promise<void> {
  const client = registryClient(session, options);
  const params = { store_id: storeId };
  if (options.copies === true) return printCopies(session, options, client, params);
  if (options.pages !== undefined || options.drifted === true)
    return printPages(session, options, await allPages(client, params, options));
  const sweep = await client.call(options.begin === true ? 'beginSweep' : 'getSweep', { params });
  session.print(options, sweep, () => sweepWords(sweep, session.paint));
  session.exitCode = exitCodeOf(sweep);
}

/** The state of a store's pages, as text. */
function sweepWords(sweep: Sweep, paint: Paint): string {
  const { summary, problems, pages, checkedAt, state, budget, copies } = sweep;
  const { drifted = 0 } = pages;
  const states = {
    off: 'This service does not check pages periodically.',
    idle: 'There is nothing to check.',
    working: 'Pages are being checked now.',
    waiting: 'It continues when the next page is due.',
    budget_spent: `${budget.checkedToday} pages were checked today, the daily limit; it continues tomorrow.`,
  };
  const lines = [
    paint('strong', safe(summary)),
    ...problems.map(({ count, result, sentence, nextStep }) =>
      safe(`  ${count} ${result}: ${sentence} ${nextStep}`),
    ),
    ...(pages.expiring === 0 ? [] : [`  ${pages.expiring} of the stale ones expire within two days.`]),
    ...(drifted === 0
      ? []
      : [`  ${drifted} differ from the catalogue: touchstone sweeps <store-id> --drifted`]),
    ...(copies === 0 ? [] : [`Copies on ${copies} domains of others: touchstone sweeps <store-id> --copies`]),
    `${states[state]}${checkedAt === undefined ? '' : safe(` Last checked at ${checkedAt}.`)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function exitCodeOf({ pages }: Sweep): ExitCode {
  if (pages.verified < pages.checked) return EXIT.failed;
  return pages.waiting > 0 || pages.checked === 0 ? EXIT.unverified : EXIT.verified;
}

/** Pages per response. */
const LIMIT = 500;

function allPages(
  client: ServiceClient,
  params: { store_id: string },
  { pages: result, drifted }: SweepOptions,
) {
  const only = {
    ...(typeof result === 'string' && { result }),
    ...(drifted === true && { drifted: 'true' as const }),
  };
  return everyItem(
    (cursor) => client.call('listSweepPages', { params, query: { limit: LIMIT, cursor, ...only } }),
    ({ pages }) => pages,
  );
}

function printPages(session: Session, options: SweepOptions, pages: SweepPageList['pages']): void {
  session.print(options, { pages }, () =>
    pages.length === 0
      ? 'There are none.\n'
      : table(
          pages.map(({ externalProductId, result, url, checkedAt, reason = '' }) => [
            externalProductId,
            result,
            checkedAt,
            url,
            reason,
          ]),
        ) + pages.map(driftText).join(''),
  );
  const isFine = ({ result, drift }: SweepPageList['pages'][number]) =>
    result === 'verified' && drift === undefined;
  session.exitCode = pages.every(isFine) ? EXIT.verified : EXIT.failed;
}

/** What a page states that differs, a line for each field. */
function driftText({ externalProductId, drift = [] }: SweepPageList['pages'][number]): string {
  return drift
    .map(({ field, page, catalogue, signed, since }) => {
      const others = [
        ...(catalogue === undefined ? [] : [`the catalogue ${JSON.stringify(catalogue)}`]),
        ...(signed === undefined ? [] : [`the certificate ${JSON.stringify(signed)}`]),
      ];
      const of = `${externalProductId}: ${field}: the page states ${JSON.stringify(page)}`;
      return `${safe(`${of}, ${others.join(' and ')}, since ${since}`)}\n`;
    })
    .join('');
}

async function printCopies(
  session: Session,
  options: SweepOptions,
  client: ServiceClient,
  params: { store_id: string },
): Promise<void> {
  let last: CopyList | undefined;
  const domains = await everyItem(
    async (cursor) => {
      last = await client.call('listCopies', { params, query: { cursor } });
      return last;
    },
    ({ domains: page }) => page,
  );
  const { limits, more = 0 } = last ?? {};
  session.print(options, { domains, limits, more }, () =>
    domains.length === 0
      ? "Nothing of the store was found on a host that is not the merchant's.\n"
      : domains.map(copiesText).join('') + limitText(limits, more),
  );
  session.exitCode = domains.some(isOpen) ? EXIT.failed : EXIT.verified;
}

/** Whether the merchant has not decided to let its hosts be, or something is still there. */
function isOpen({ hosts }: CopyList['domains'][number]): boolean {
  return hosts.length === 0 || hosts.some(({ state }) => state === 'new' || state === 'reported');
}

/** What was found on a host, in words. */
function foundText({ found: { certificate, pictures, name } }: CopyHost): string {
  const words = [
    ...(pictures === undefined
      ? []
      : [`${pictures.pictures} of ${pictures.of} pictures certified for ${pictures.original}`]),
    ...(name === undefined ? [] : [`name resembles ${name.original}`]),
    ...(certificate === undefined ? [] : ['certificate']),
  ];
  return words.join(', ');
}

function copiesText({
  domain,
  hosts,
  copies,
  times,
  firstAt,
  lastAt,
  dropped,
}: CopyList['domains'][number]): string {
  const found = table(hosts.map((host) => [host.state, host.url, foundText(host)]));
  const kept = table(copies.map((copy) => [copy.externalProductId, copy.url, copy.lastAt]));
  const older = dropped === 0 ? '' : `  and ${dropped} older ones, which are no longer kept\n`;
  return `${safe(`${domain}: ${times} times, ${firstAt} to ${lastAt}`)}\n${found}${kept}${older}`;
}

function limitText(limits: CopyList['limits'] | undefined, more: number): string {
  if (limits === undefined || more === 0) return '';
  return `At most ${limits.domains} domains are recorded; copies on others were found ${more} times.\n`;
}
