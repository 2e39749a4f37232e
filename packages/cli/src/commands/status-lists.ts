import { WITHDRAWAL_REASONS } from '@touchstone/certificate/verify';
import type { Command } from 'commander';
import { EXIT, type ExitCode, usage } from '../cli-error.ts';
import { readInput } from '../files.ts';
import { safe, table } from '../output/text.ts';
import { registryClient } from '../registry-client.ts';
import type { Session } from '../session.ts';
import { baseAddress, type GlobalOptions } from '../settings.ts';
import { LIST_FOLDER } from '../status-lists/list-folder.ts';
import { type PulledList, pullLists } from '../status-lists/pull-lists.ts';

interface PullOptions extends GlobalOptions {
  readonly issuer?: string;
  readonly out: string;
}

export function addStatusLists(program: Command, session: Session): void {
  const lists = program
    .command('status-lists')
    .description('Status lists, which say what certificates have been withdrawn.');
  lists
    .command('pull')
    .description(
      'Fetch the status lists that certificates name, verify each, and keep them for touchstone verify --status-lists.',
    )
    .argument(
      '[source...]',
      'certificates (files, or folders of them), numbers or addresses of lists; none: all lists of the folder again',
    )
    .option('--issuer <url>', 'the service that issued the certificates (TOUCHSTONE_ISSUER, if it names one)')
    .option('--out <folder>', 'target folder', LIST_FOLDER)
    .action((sources: string[], _: unknown, command: Command) =>
      pull(session, sources, command.optsWithGlobals<PullOptions>()),
    );
  lists
    .command('merge')
    .description(
      'After a restore: have the service take over what published status lists call withdrawn, for good.',
    )
    .argument('<file...>', 'lists as they were published: from a folder of lists, a CDN or another copy')
    .option('--key <key>', 'API key of the operator (TOUCHSTONE_KEY)')
    .action((files: string[], _: unknown, command: Command) =>
      merge(session, files, command.optsWithGlobals<GlobalOptions & { readonly key?: string }>()),
    );
}

async function pull(session: Session, sources: readonly string[], options: PullOptions): Promise<void> {
  const { io } = session;
  const named = options.issuer ?? io.env.TOUCHSTONE_ISSUER ?? '';
  if (named.trim() === '' || named.includes(','))
    throw usage('Which service issued the certificates? --issuer https://…');
  const issuer = baseAddress(named, 'The issuer (--issuer, TOUCHSTONE_ISSUER)');
  const folder = options.out;
  const lists = await pullLists({ issuer, sources, folder, io });
  const value = lists.map((one) =>
    one.fault === undefined ? one : { ...one, message: WITHDRAWAL_REASONS[one.fault] },
  );
  session.print(options, { issuer, folder, lists: value }, () => wordsOf(lists, issuer, folder, io.now()));
  session.exitCode = exitOf(lists);
}

function exitOf(lists: readonly PulledList[]): ExitCode {
  const faults = lists.flatMap(({ fault }) => fault ?? []);
  if (faults.length === 0) return EXIT.verified;
  return faults.every((fault) => fault === 'status_list_unreachable') ? EXIT.cannotTell : EXIT.failed;
}

function wordsOf(lists: readonly PulledList[], issuer: string, folder: string, now: Date): string {
  const written = lists.filter(({ fault }) => fault === undefined);
  const rows = lists.map((one) => {
    if (one.fault !== undefined)
      return [
        String(one.list),
        `not usable, former file kept if there is one: ${one.fault}: ${WITHDRAWAL_REASONS[one.fault]}`,
      ];
    const { issuedAt, expiresAt } = one;
    return [
      String(one.list),
      `${minutes(now.getTime() - issuedAt.getTime())} old (${issuedAt.toISOString()}), counts for ${minutes(expiresAt.getTime() - now.getTime())} (until ${expiresAt.toISOString()})`,
    ];
  });
  const next =
    written.length === 0
      ? ''
      : `Next: touchstone verify <file> --issuer ${safe(issuer)} --status-lists ${safe(folder)}; pull again at least daily.\n`;
  return `${written.length} of ${lists.length} status lists of ${safe(issuer)} are in ${safe(folder)}\n${table(rows)}${next}`;
}

function minutes(milliseconds: number): string {
  const all = Math.max(0, Math.round(milliseconds / 60_000));
  const hours = Math.floor(all / 60);
  return hours === 0 ? `${all} min` : `${hours} h ${all % 60} min`;
}

async function merge(
  session: Session,
  files: readonly string[],
  options: GlobalOptions & { readonly key?: string },
): Promise<void> {
  const client = registryClient(session, options);
  let state: { readonly lists: readonly unknown[]; readonly waiting: number } | undefined;
  for (const file of files) {
    const token = new TextDecoder().decode(await readInput(file, session.io, 1_000_000)).trim();
    state = await client.call('mergeStatusList', { body: { token } });
  }
  session.print(
    options,
    state,
    () =>
      `What ${files.length === 1 ? 'this list calls' : `these ${files.length} lists call`} withdrawn is withdrawn, for good. New certificates name new lists.\n`,
  );
  session.exitCode = EXIT.verified;
}
