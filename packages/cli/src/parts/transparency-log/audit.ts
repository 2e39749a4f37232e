import type { Command } from 'commander';
import { EXIT } from '../../cli-error.ts';
import { createProgress } from '../../output/progress.ts';
import { counted, list, safe } from '../../output/text.ts';
import type { Session } from '../../session.ts';
import type { GlobalOptions } from '../../settings.ts';
import { readPolicy } from '../../verify/log-policy.ts';
import { type LogSource, openLogs } from '../../verify/log-source.ts';
import { type AuditFault, type AuditResult, auditLog } from './audit-log.ts';
import { GivenProofs } from './given-proofs.ts';
import { readSignedCheckpoint } from './log-trust.ts';
import { LogContradiction } from './verified-tiles.ts';
import { endOf, witnessWords } from './words.ts';

interface AuditOptions extends GlobalOptions {
  readonly policy?: string;
  readonly certificates?: readonly string[];
}

const FAULTS: Readonly<Record<AuditFault, string>> = {
  bundle_wrong: 'cannot be read as entries',
  tile_differs: 'is not what follows from the entries',
  tile_missing: 'is missing',
  root_differs: 'has another root than the entries',
  proof_repeated: 'is logged more than once',
  year_differs: 'is of another year',
  leaf_differs: 'differs from its proof',
  proof_not_logged: 'is not logged, though its certificate was given',
};

export function addAudit(log: Command, session: Session): void {
  log
    .command('audit')
    .description(
      'Recompute a log from its entries: every tile, the root, and the entries of given certificates.',
    )
    .argument('<log>', 'address of a service or of a log of one year, or a folder with its files')
    .option(
      '--policy <file>',
      'file or address of a policy: whose keys count; without it, the key that the log names',
    )
    .option(
      '--certificates <place...>',
      'files and folders of certificates, to be compared with their entries',
    )
    .action((place: string, _: unknown, command: Command) =>
      audit(session, place, command.optsWithGlobals<AuditOptions>()),
    );
}

/** The result of one log; without a checkpoint that counts, nothing else was looked at. */
interface LogAudit extends Partial<AuditResult> {
  readonly log: string;
  readonly size: number;
  readonly witnesses: readonly string[];
  readonly quorum?: boolean;
  /** When its key was revoked. */
  readonly ended?: string;
  readonly fault?: string;
}

async function audit(session: Session, place: string, options: AuditOptions): Promise<void> {
  const { io } = session;
  const policy = options.policy === undefined ? undefined : await readPolicy(options.policy, io);
  const results: LogAudit[] = [];
  const proofs = await GivenProofs.read(options.certificates ?? [], io);
  const sources = await openLogs(place, io);
  for (const source of sources) {
    try {
      const signed = await readSignedCheckpoint(source, { policy }, io);
      const { origin, size, witnesses, quorum } = signed;
      const progress = createProgress(io, 'entries');
      const onRead = (done: number, failed: number) => progress.update({ done, total: size, failed });
      try {
        const isLast = isLastOfYear(source, sources);
        const result = await auditLog({ source, signed, proofs, isLast, onRead, io });
        results.push({
          log: origin,
          size,
          witnesses,
          ...(quorum === undefined ? {} : { quorum }),
          ...endOf(signed),
          ...result,
        });
      } finally {
        progress.end();
      }
    } catch (error) {
      if (!(error instanceof LogContradiction)) throw error;
      results.push({ log: source.place, size: 0, witnesses: [], fault: error.message });
    }
  }
  session.print(options, { logs: results }, () => results.map(wordsOf).join(''));
  session.exitCode = results.some(({ quorum }) => quorum === false) ? EXIT.cannotTell : EXIT.verified;
  if (results.some(({ fault, faults = 0 }) => fault !== undefined || faults > 0))
    session.exitCode = EXIT.failed;
}

/**
 * Whether all proofs of a year must be in a log, or in those that were read before it: a log that ended is followed by another of its year.
 * `undefined`: the first of them is not read.
 */
function isLastOfYear({ place }: LogSource, sources: readonly LogSource[]): boolean | undefined {
  const first = place.replace(/([/\\]\d{4})-\d{1,3}$/, '$1');
  const ofYear = sources.filter((one) => one.place === first || one.place.startsWith(`${first}-`));
  if (ofYear.at(-1)?.place !== place) return false;
  return ofYear[0]?.place === first ? true : undefined;
}

function wordsOf(result: LogAudit): string {
  const {
    log,
    entries = 0,
    tiles = 0,
    compared = 0,
    faults = 0,
    findings = [],
    notChecked = [],
    fault,
  } = result;
  if (fault !== undefined) return `${safe(log)}: ${safe(fault)}\n`;
  const outcome = faults === 0 ? 'nothing is wrong' : `${counted(faults, 'fault')}`;
  return [
    `${safe(log)}: ${entries} entries, ${counted(tiles, 'tile')}, ${counted(compared, 'proof')} compared: ${outcome}; ${witnessWords(result)}.\n`,
    list(
      '',
      findings.map(({ fault: code, at }) => `${at} ${FAULTS[code]} (${code})`),
    ),
    list('Not checked:', notChecked),
  ].join('');
}
