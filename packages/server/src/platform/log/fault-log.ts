import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors.ts';

/** Milliseconds between two log lines about one kind of fault. */
const INTERVAL = 60_000;

/**
 * Keeps a fault that repeats (each image of a catalogue, while the network is not reachable) from burying the log: of
 * each kind the first is reported, then at most one a minute, with how many there were.
 *
 * @param report `times` counts the faults of this kind since the last one that was reported, this one included
 */
export function createFaultLog(
  report: (fault: unknown, times: number) => void,
  clock: Clock,
): (fault: unknown) => void {
  const kinds = new Map<string, { since: number; unreported: number }>();
  return (fault) => {
    const kind = kindOf(fault);
    const now = clock().getTime();
    const before = kinds.get(kind) ?? { since: Number.NEGATIVE_INFINITY, unreported: 0 };
    const times = before.unreported + 1;
    const isDue = now - before.since >= INTERVAL;
    kinds.set(kind, isDue ? { since: now, unreported: 0 } : { ...before, unreported: times });
    if (isDue) report(fault, times);
  };
}

/**
 * Logs warnings of faults after which work continues, at most one per minute and kind.
 *
 * @param message what does not work, and what happens next
 */
export function createFaultWarning(
  { logger, clock }: { readonly logger: Logger; readonly clock: Clock },
  message: string,
): (fault: unknown) => void {
  return createFaultLog((err, times) => logger[levelOf(err)]({ err, times }, message), clock);
}

/**
 * The level of a fault after which work continues: a lost database is reported once, by the connection that receives changes, and
 * not again by everything that has nothing to do and looks for work.
 */
export function levelOf(fault: unknown): 'warn' | 'debug' {
  return fault instanceof ServiceError && fault.code === 'database_unavailable' ? 'debug' : 'warn';
}

/** The kind of a fault: its name and code, since messages name single images. */
function kindOf(fault: unknown): string {
  const root = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
  if (!(root instanceof Error)) return typeof root;
  return 'code' in root ? `${root.name} ${String(root.code)}` : root.name;
}
