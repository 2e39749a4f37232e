import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';

/** Milliseconds by which this node's clock may differ from the database's, since it dates proofs. */
const CLOCK_TOLERANCE = 30_000;
/** Milliseconds for one check. */
const PATIENCE = 3_000;
/** The same while answers could come from memory: less than load balancers wait. */
const STALE_PATIENCE = 500;

const UNREACHABLE = 'the database does not answer';

export interface ReadinessOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** Resolves as soon as it is proven that changes made on other nodes are received, or rejects with `signal`. */
  readonly whenFresh: (signal: AbortSignal) => Promise<unknown>;
  /** Whether what was cached before the database was lost is answered. Default: no. */
  readonly answersStale?: () => boolean;
  /** Rejects if no key can sign or be published. */
  readonly checkKeys: () => Promise<unknown>;
  /** What the operator must look at, though the service is ready. */
  readonly findings?: () => readonly string[];
}

export interface Readiness {
  /** Why the service is not ready, in sentences; empty: it is ready. */
  problems(): Promise<string[]>;
  findings(): readonly string[];
  /** Has a part say what the operator must look at. */
  reportFindings(findings: () => readonly string[]): void;
  /** Makes it not ready from now on, so that load balancers send no more requests. */
  startDraining(): void;
  isDraining(): boolean;
}

export function createReadiness(options: ReadinessOptions): Readiness {
  let draining = false;
  /** As of the last check. */
  let isUnreachable = false;
  const sources = options.findings === undefined ? [] : [options.findings];
  return {
    async problems() {
      if (draining) return ['the service is shutting down'];
      const answersStale = options.answersStale?.() === true;
      const patience = answersStale ? STALE_PATIENCE : PATIENCE;
      const clock = await within(() => clockProblem(options), UNREACHABLE, patience);
      // the other nodes have the same database: without this one there would be no answer at all
      isUnreachable = clock === UNREACHABLE;
      if (isUnreachable && answersStale) return [];
      const found = await Promise.all([
        within(succeeds(options.checkKeys), 'the signing keys are not available'),
        // on a busy machine the proof may be late: until then, answers come from the database and are correct
        within(succeeds(options.whenFresh), 'changes made on other nodes are not received at the moment'),
      ]);
      return [clock, ...found].filter((problem) => problem !== null);
    },
    findings: () => [...(isUnreachable ? [UNREACHABLE] : []), ...sources.flatMap((findings) => findings())],
    reportFindings: (findings) => void sources.push(findings),
    startDraining() {
      draining = true;
    },
    isDraining: () => draining,
  };
}

async function clockProblem({ db, clock }: ReadinessOptions): Promise<string | null> {
  const before = clock().getTime();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const after = clock().getTime();
  const there = rows[0]?.now.getTime() ?? Number.NaN;
  // the database read its clock between our two readings
  const difference = there < before ? before - there : there > after ? there - after : 0;
  if (difference <= CLOCK_TOLERANCE) return null;
  return `the clock of this node is ${Math.round(difference / 1000)} s away from the database's`;
}

/** The problem found, if any; aborted by `signal`. */
type Check = (signal: AbortSignal) => Promise<string | null>;

function succeeds(work: (signal: AbortSignal) => Promise<unknown>): Check {
  return async (signal) => {
    await work(signal);
    return null;
  };
}

/** The problem found, or `failure` if the check fails or takes longer than `milliseconds`. */
async function within(check: Check, failure: string, milliseconds = PATIENCE): Promise<string | null> {
  const patience = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(failure), milliseconds);
  try {
    return await Promise.race([check(patience.signal).catch(() => failure), late]);
  } finally {
    clearTimeout(timer);
    patience.abort();
  }
}
