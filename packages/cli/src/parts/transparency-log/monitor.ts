import { normalizeHost } from '@touchstone/certificate/binding';
import type { Command } from 'commander';
import { EXIT, usage } from '../../cli-error.ts';
import { createProgress } from '../../output/progress.ts';
import { counted, safe, safeJsonLine } from '../../output/text.ts';
import type { Session } from '../../session.ts';
import type { GlobalOptions } from '../../settings.ts';
import { readPolicy } from '../../verify/log-policy.ts';
import { type LogSource, openLogs } from '../../verify/log-source.ts';
import { readSignedCheckpoint, type SignedCheckpoint } from './log-trust.ts';
import { type DomainEntry, LogFork, type MonitorCounts, monitorLog } from './monitor-log.ts';
import { type MonitorState, readMonitorState, writeMonitorState } from './monitor-state.ts';
import { LogContradiction } from './verified-tiles.ts';
import { endOf, witnessWords } from './words.ts';

interface MonitorOptions extends GlobalOptions {
  readonly domain: string;
  readonly state?: string;
  readonly policy?: string;
}

/** Milliseconds between two writings of the state. */
const EVERY = 5_000;

export function addMonitor(log: Command, session: Session): void {
  log
    .command('monitor')
    .description(
      'Print what was issued for a domain and its subdomains, newest last. It reads and verifies the whole log itself.',
    )
    .argument('<log>', 'address of a service or of a log of one year, or a folder with its files')
    .requiredOption('--domain <host>', 'the domain')
    .option('--state <file>', 'where it remembers what it has read; it continues there the next time')
    .option(
      '--policy <file>',
      'file or address of a policy: whose keys count; without it, the key that the log names first',
    )
    .action((place: string, _: unknown, command: Command) =>
      monitor(session, place, command.optsWithGlobals<MonitorOptions>()),
    );
}

/** What one run has found in one log. */
interface MonitorResult extends Partial<MonitorCounts> {
  readonly log: string;
  readonly place: string;
  readonly size: number;
  readonly witnesses: readonly string[];
  readonly quorum?: boolean;
  readonly keysFrom: SignedCheckpoint['keysFrom'];
  /** When its key was revoked: it does not grow any more. */
  readonly ended?: string;
  /** What contradicts, and where both checkpoints of a fork are. */
  readonly fault?: string;
  readonly evidence?: string;
}

async function monitor(session: Session, place: string, options: MonitorOptions): Promise<void> {
  const { io } = session;
  const domain = normalizeHost(options.domain);
  if (domain === null) throw usage(`--domain must be a host such as shop.example, not “${options.domain}”.`);
  let state = await readMonitorState(options.state, domain, io);
  const policy = options.policy === undefined ? undefined : await readPolicy(options.policy, io);
  const known = { policy, keysOf: (origin: string) => state.logs[origin]?.keys ?? [] };
  const results: MonitorResult[] = [];
  for (const source of await openLogs(place, io)) {
    const signed = await readSignedCheckpoint(source, known, io).catch((error: unknown) => {
      if (!(error instanceof LogContradiction)) throw error;
      results.push({
        log: '',
        place: source.place,
        size: 0,
        witnesses: [],
        keysFrom: 'policy',
        fault: error.message,
      });
      return undefined;
    });
    if (signed === undefined) continue;
    const keep = (next: number) => {
      const kept = { checkpoint: signed.note, next, keys: signed.keys, place };
      state = { domain, logs: { ...state.logs, [signed.origin]: kept } };
      return writeMonitorState(options.state, state, io);
    };
    results.push(await monitorOne(session, source, signed, state, keep, options));
  }
  // whoever removes a log from the list must not be able to hide it
  const notShown = Object.keys(state.logs).filter(
    (origin) => state.logs[origin]?.place === place && !results.some(({ log }) => log === origin),
  );
  if (options.json === true) io.stdout.write(`${safeJsonLine({ domain, logs: results, notShown })}\n`);
  else {
    const missing = notShown.map(
      (origin) =>
        `${safe(origin)} was read before, and is not shown now. If its retention is over, remove it from the state.\n`,
    );
    io.stdout.write([...results.map((result) => wordsOf(result, domain)), ...missing].join(''));
  }
  const isUnsure =
    notShown.length > 0 || results.some(({ quorum, isOlder }) => quorum === false || isOlder === true);
  session.exitCode = isUnsure ? EXIT.cannotTell : EXIT.verified;
  if (results.some(({ fault }) => fault !== undefined)) session.exitCode = EXIT.failed;
}

async function monitorOne(
  { io }: Session,
  source: LogSource,
  signed: SignedCheckpoint,
  { domain, logs }: MonitorState,
  keep: (next: number) => Promise<void>,
  options: MonitorOptions,
): Promise<MonitorResult> {
  const { origin, size, witnesses, quorum, keysFrom } = signed;
  const result = {
    log: origin,
    place: source.place,
    size,
    witnesses,
    ...(quorum === undefined ? {} : { quorum }),
    keysFrom,
    ...endOf(signed),
  };
  const progress = createProgress(io, 'entries');
  let [written, last] = [io.now().getTime(), logs[origin]?.next ?? 0];
  try {
    const counts = await monitorLog({
      source,
      signed,
      before: logs[origin],
      domain,
      io,
      onEntry: (entry) => {
        progress.end();
        io.stdout.write(options.json === true ? `${safeJsonLine(entry)}\n` : lineOf(entry));
      },
      onRead: async (next) => {
        last = next;
        const now = io.now().getTime();
        progress.update({ done: next, total: size, failed: 0 });
        if (now - written < EVERY && !io.stop.aborted) return;
        written = now;
        await keep(next);
      },
    });
    if (!counts.isOlder) await keep(Math.max(last, size));
    return { ...result, ...counts };
  } catch (error) {
    if (!(error instanceof LogContradiction)) throw error;
    const fault = { ...result, fault: error.message };
    if (!(error instanceof LogFork)) return fault;
    const evidence = `${options.state ?? 'monitor'}.fork-${error.notes.map((note) => note.split('\n')[1]).join('-')}`;
    await io.writeFile(evidence, Buffer.from(error.notes.join('\n')));
    return { ...fault, evidence };
  } finally {
    progress.end();
  }
}

function lineOf({ index, iat, exp, kind, domain = '', kid, proof }: DomainEntry): string {
  const [from, until] = [iat, exp].map((time) => new Date(time * 1000).toISOString().slice(0, 19));
  return `${String(index).padStart(9)}  ${from}Z  until ${until}Z  ${kind.padEnd(7)}  ${safe(domain)}  key ${safe(kid)}  ${proof}\n`;
}

function wordsOf(result: MonitorResult, domain: string): string {
  const {
    log,
    place,
    size,
    read = 0,
    found = 0,
    hidden = 0,
    otherKinds = 0,
    keysFrom,
    fault,
    evidence,
  } = result;
  if (fault !== undefined) {
    const kept = evidence === undefined ? '' : ` Both checkpoints are in ${safe(evidence)}.`;
    return `${safe(log === '' ? place : log)}: ${safe(fault)}${kept}\n`;
  }
  const others = [
    ...(hidden > 0 ? [`${counted(hidden, 'proof')} hid the domain`] : []),
    ...(otherKinds > 0 ? [`${otherKinds} of other kinds`] : []),
  ];
  const lines = [
    `${safe(log)}: ${counted(read, 'new entry').replace('entrys', 'entries')} of ${size} read and verified, ${found} for ${safe(domain)}${others.length === 0 ? '' : ` (${others.join(', ')})`}; ${witnessWords(result)}.`,
    ...(result.isOlder === true && result.ended !== undefined
      ? [
          '  Before, it has shown entries that its last checkpoint does not have: others may have signed them, or they were withdrawn. Keep the state.',
        ]
      : []),
    ...(result.isOlder === true && result.ended === undefined
      ? [`  It has shown a larger tree before: this copy is older.`]
      : []),
    ...(keysFrom === 'log' ? ['  The log itself named its key: --policy names the one that you trust.'] : []),
  ];
  return `${lines.join('\n')}\n`;
}
