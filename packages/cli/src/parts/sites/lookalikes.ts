import { createLookalikes, hostForms, type Lookalikes } from '@touchstone/lookalikes';
import type { Command } from 'commander';
import { EXIT, usage } from '../../cli-error.ts';
import { nameOf, openInput } from '../../files.ts';
import { counted, safe, safeJsonLine } from '../../output/text.ts';
import { pagesOf, registryClient } from '../../registry-client.ts';
import type { Session } from '../../session.ts';
import type { GlobalOptions } from '../../settings.ts';
import { linesOf, namesIn } from './names.ts';

interface LookalikesOptions extends GlobalOptions {
  readonly hosts: string;
  readonly against?: string;
  readonly key?: string;
}

/** Columns of a name in the table; a longer one moves the rest of its line. */
const NAME_COLUMNS = 40;
/** Names of certificates that are told once, since a feed repeats them for each certificate. */
const MOST_TOLD = 100_000;

export function addLookalikes(program: Command, session: Session): void {
  program
    .command('lookalikes')
    .description(
      'Print which names of a list resemble your hosts: new names, or the JSON lines of certificate-transparency feeds.',
    )
    .requiredOption('--hosts <file>', 'the names, one a line, or JSON lines; - for standard input')
    .option('--against <file>', 'the hosts that they may resemble, one a line')
    .option(
      '--key <key>',
      'API key (TOUCHSTONE_KEY): without --against, the proven hosts of its merchant; with an operator’s, of all',
    )
    .action((_: unknown, command: Command) =>
      printLookalikes(session, command.optsWithGlobals<LookalikesOptions>()),
    );
}

async function printLookalikes(session: Session, options: LookalikesOptions): Promise<void> {
  const { io } = session;
  const { hosts, against } = options;
  if (hosts === '-' && against === '-')
    throw usage('Only one of --hosts and --against can be standard input.');
  const known = createLookalikes();
  const theirs = against === undefined ? provenHosts(session, options) : hostsIn(against, session);
  for await (const host of theirs) known.add(host);
  if (known.size === 0) {
    throw usage(
      against === undefined ? 'No host of this key is proven.' : `${nameOf(against)} contains no host.`,
      against === undefined
        ? 'Prove one (touchstone domains verify), or give a list with --against.'
        : undefined,
    );
  }
  const told = new Set<string>();
  let names = 0;
  for await (const line of linesOf(openInput(hosts, io))) {
    for (const name of namesIn(line)) {
      names += 1;
      if (!told.has(name) && tell(name, known, session, options) && told.size < MOST_TOLD) told.add(name);
    }
  }
  if (options.json !== true)
    io.stderr.write(
      `${counted(names, 'name')} read against ${counted(known.size, 'host')}; ${told.size} resemble one.\n`,
    );
  session.exitCode = told.size === 0 ? EXIT.verified : EXIT.unverified;
}

/** @returns whether the name resembles a host */
function tell(name: string, known: Lookalikes, { io }: Session, { json }: LookalikesOptions): boolean {
  const resembles = known.find(name);
  if (resembles.length === 0) return false;
  const { ascii = name, unicode = name } = hostForms(name) ?? {};
  if (json === true) {
    const shown = unicode === ascii ? {} : { unicode };
    io.stdout.write(`${safeJsonLine({ name: ascii, ...shown, resembles })}\n`);
    return true;
  }
  const label = unicode === ascii ? ascii : `${ascii} (${unicode})`;
  for (const { host, kinds } of resembles) {
    const how = kinds.map((kind) => kind.replaceAll('_', ' ')).join(', ');
    io.stdout.write(`${safe(label).padEnd(NAME_COLUMNS)}  ${safe(host)}: ${how}\n`);
  }
  return true;
}

async function* hostsIn(file: string, { io }: Session): AsyncGenerator<string> {
  for await (const line of linesOf(openInput(file, io))) {
    for (const name of namesIn(line)) {
      if (hostForms(name) === null)
        throw usage(
          `${nameOf(file)}: “${safe(name)}” is no host name.`,
          'Give one host a line, such as shop.example.',
        );
      yield name;
    }
  }
}

/** The proven hosts of the stores that the key may see. */
async function* provenHosts(session: Session, options: LookalikesOptions): AsyncGenerator<string> {
  const client = registryClient(session, options);
  const pages = pagesOf((cursor) => client.call('listStores', { query: { cursor, limit: 500 } }));
  for await (const { stores } of pages) {
    for (const { id } of stores) {
      const { domains } = await client.call('getStore', { params: { store_id: id } });
      for (const { hostname, verified } of domains) if (verified) yield hostname;
    }
  }
}
