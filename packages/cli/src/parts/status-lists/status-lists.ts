import { STATUS_LIST_SIZE } from '@touchstone/certificate/withdrawal';
import type { StatusLists } from '@touchstone/contract';
import type { Command } from 'commander';
import { EXIT } from '../../cli-error.ts';
import { readInput } from '../../files.ts';
import { table } from '../../output/text.ts';
import { registryClient } from '../../registry-client.ts';
import type { Session } from '../../session.ts';
import type { GlobalOptions } from '../../settings.ts';
import { addPull } from './pull.ts';

interface StatusListOptions extends GlobalOptions {
  readonly key?: string;
}

/** Maximum bytes of a list. */
const LIMIT = 1_000_000;

export function addStatusLists(program: Command, session: Session): void {
  const key = ['--key <key>', 'API key of the operator (TOUCHSTONE_KEY)'] as const;
  const lists = program
    .command('status-lists')
    .description('Show the status lists of the service: what they call withdrawn, and what waits.')
    .option(...key)
    .action((_: unknown, command: Command) =>
      showLists(session, command.optsWithGlobals<StatusListOptions>()),
    );
  addPull(lists, session);
  lists
    .command('merge')
    .description(
      'Take over what published status lists call withdrawn, for a restored database whose own copies of them were lost.',
    )
    .argument(
      '<file|folder...>',
      'lists as they were published: from a copy for a CDN, or what a verifier has pulled',
    )
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
  let state: StatusLists | undefined;
  for (const token of tokens) state = await client.call('mergeStatusList', { body: { token } });
  session.print(options, state, () => (state === undefined ? '' : listWords(state)));
  session.exitCode = EXIT.verified;
}

/** The lists of a file or folder. Static copies have no extension. */
async function readTokens({ io }: Session, place: string): Promise<string[]> {
  const names = (await io.namesIn(place).catch(() => [])).filter((name) => /^\d+$|\.jwt$/.test(name));
  const files = names.length === 0 ? [place] : names.map((name) => `${place}/${name}`);
  const lists = await Promise.all(files.map((file) => readInput(file, io, LIMIT)));
  return lists.map((list) => new TextDecoder().decode(list).trim());
}

function listWords({ lists, waiting, restoredAt }: StatusLists): string {
  const rows = lists.map((one) => [
    String(one.list),
    one.closedAt === undefined ? 'open' : 'closed',
    `signed ${one.issuedAt}`,
    `${one.taken} of ${STATUS_LIST_SIZE} entries given out`,
    `${one.withdrawn} withdrawn`,
    `${one.suspended} suspended`,
  ]);
  const lines = [
    table(rows).trimEnd(),
    waiting === 0 ? 'All changes are published.' : `Changes that wait to be published: ${waiting}`,
    ...(restoredAt === undefined
      ? []
      : [
          `At ${restoredAt}, the database was found to be older than the published lists; what they call withdrawn stays so.`,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}
