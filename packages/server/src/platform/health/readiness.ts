import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';

/** Milliseconds that this node's clock may be away from the database's: proofs are dated by it. */
const CLOCK_TOLERANCE = 30_000;
/** Milliseconds for one check. */
const PATIENCE = 3_000;

export interface ReadinessOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** Resolves as soon as it is proven that changes made on other nodes are received, or rejects with `signal`. */
  readonly whenFresh: (signal: AbortSignal) => Promise<unknown>;
  /** Rejects when no key can sign or be published. */
  readonly checkKeys: () => Promise<unknown>;
}

export interface Readiness {
  /** What keeps the service from serving, in sentences; empty: ready. */
  problems(): Promise<string[]>;
  /** From now on it is not ready, so that balancers send nothing more. */
  startDraining(): void;
  isDraining(): boolean;
}

export function createReadiness(options: ReadinessOptions): Readiness {
  let draining = false;
  return {
    async problems() {
      if (draining) return ['the service is shutting down'];
      const found = await Promise.all([
        within(() => clockProblem(options), 'the database does not answer'),
        within(succeeds(options.checkKeys), 'the signing keys are not at hand'),
        // a busy machine is late with the proof now and then: answers come from the database meanwhile, and are right
        within(succeeds(options.whenFresh), 'changes made on other nodes are not received at the moment'),
      ]);
      return found.filter((problem) => problem !== null);
    },
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
  // the database looked at its clock somewhere between our two readings
  const difference = there < before ? before - there : there > after ? there - after : 0;
  if (difference <= CLOCK_TOLERANCE) return null;
  return `the clock of this node is ${Math.round(difference / 1000)} s away from the database's`;
}

/** What it finds, if anything; given up with `signal`. */
type Check = (signal: AbortSignal) => Promise<string | null>;

function succeeds(work: (signal: AbortSignal) => Promise<unknown>): Check {
  return async (signal) => {
    await work(signal);
    return null;
  };
}

/** The problem found, or `failure` when the check fails or takes too long. */
async function within(check: Check, failure: string): Promise<string | null> {
  const patience = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(failure), PATIENCE);
  try {
    return await Promise.race([check(patience.signal).catch(() => failure), late]);
  } finally {
    clearTimeout(timer);
    patience.abort();
  }
}
