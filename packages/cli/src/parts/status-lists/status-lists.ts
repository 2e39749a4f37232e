import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StatusLists } from '@touchstone/contract';
import type { Command } from 'commander';
import { EXIT, usage } from '../../cli-error.ts';
import { table } from '../../output/text.ts';
import { registryClient } from '../../registry-client.ts';
import type { Session } from '../../session.ts';
import type { GlobalOptions } from '../../settings.ts';

interface StatusListOptions extends GlobalOptions {
  readonly key?: string;
  readonly merge?: readonly string[];
}

/** Milliseconds for one list. */
const PATIENCE = 20_000;

export function addStatusLists(program: Command, session: Session): void {
  const key = ['--key <key>', 'API key of the operator (TOUCHSTONE_KEY)'] as const;
  const lists = program
    .command('status-lists')
    .description('Show the status lists of the service: what they call withdrawn, and what waits.')
    .option(...key)
    .action((_: unknown, command: Command) =>
      showLists(session, command.optsWithGlobals<StatusListOptions>()),
    );
  lists
    .command('merge')
    .description(
      'Take over what published status lists call withdrawn, for a restored database whose own copies of them were lost.',
    )
    .argument('<file|folder|url...>', 'tokens as they were published: of a CDN, or of a verifier')
    .option(...key)
    .action((places: readonly string[], _: unknown, command: Command) =>
      mergeLists(session, places, command.optsWithGlobals<StatusListOptions>()),
    );
}

async function showLists(session: Session, options: StatusListOptions): Promise<void> {
  const lists = await registryClient(session, options).call('listStatusLists', {});
  session.print(options, lists, () => listWords(lists));
  session.exitCode = EXIT.verified;
}

async function mergeLists(
  session: Session,
  places: readonly string[],
  options: StatusListOptions,
): Promise<void> {
  const client = registryClient(session, options);
  const tokens = (await Promise.all(places.map((place) => readTokens(session, place)))).flat();
  if (tokens.length === 0) throw usage('There is no status list in these places.');
  let state: StatusLists | undefined;
  for (const token of tokens) state = await client.call('mergeStatusList', { body: { token } });
  session.print(options, state, () => (state === undefined ? '' : listWords(state)));
  session.exitCode = EXIT.verified;
}

/** Static copies have no extension. */
async function readTokens({ io }: Session, place: string): Promise<string[]> {
  if (/^https?:\/\//.test(place)) {
    const response = await io.fetch(place, { signal: AbortSignal.timeout(PATIENCE), redirect: 'error' });
    if (!response.ok) throw usage(`${place} answers ${response.status}.`);
    return [await response.text()];
  }
  const found = await stat(place).catch(() => null);
  if (found === null) throw usage(`There is no file or folder ${place}.`);
  if (!found.isDirectory()) return [await readFile(place, 'utf8')];
  const names = (await readdir(place)).filter((name) => /^\d+$|\.jwt$/.test(name));
  return Promise.all(names.map((name) => readFile(join(place, name), 'utf8')));
}

function listWords({ lists, waiting, restoredAt }: StatusLists): string {
  const rows = lists.map((one) => [
    String(one.list),
    one.closedAt === undefined ? 'open' : 'closed',
    one.issuedAt,
    `${one.taken} taken`,
    `${one.withdrawn} withdrawn`,
    `${one.suspended} suspended`,
  ]);
  const lines = [
    table(rows).trimEnd(),
    waiting === 0 ? 'All changes are published.' : `${waiting} changes wait to be published.`,
    ...(restoredAt === undefined
      ? []
      : [`At ${restoredAt}, what published lists called withdrawn was taken over into an older database.`]),
  ];
  return `${lines.join('\n')}\n`;
}
