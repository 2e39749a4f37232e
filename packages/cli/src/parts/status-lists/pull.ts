import { WITHDRAWAL_REASONS } from '@touchstone/certificate/verify';
import type { Command } from 'commander';
import { EXIT, type ExitCode, usage } from '../../cli-error.ts';
import { safe, table } from '../../output/text.ts';
import type { Session } from '../../session.ts';
import { baseAddress, type GlobalOptions } from '../../settings.ts';
import { LIST_FOLDER } from '../../verify/list-folder.ts';
import { type PulledList, pullLists } from './pull-lists.ts';

interface PullOptions extends GlobalOptions {
  readonly issuer?: string;
  readonly out: string;
}

/** Adds `pull` to the commands about status lists. */
export function addPull(lists: Command, session: Session): void {
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
