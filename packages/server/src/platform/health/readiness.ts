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
  /** Whether changes made on other nodes are received. */
  readonly isFresh: () => boolean;
  /** Rejects when no key can sign or be published. */
  readonly keysAtHand: () => Promise<unknown>;
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
        within(clockProblem(options), 'the database does not answer'),
        within(
          options.keysAtHand().then(() => null),
          'the signing keys are not at hand',
        ),
      ]);
      const freshness = options.isFresh()
        ? null
        : 'changes made on other nodes are not received at the moment';
      return [...found, freshness].filter((problem) => problem !== null);
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

/** The problem found, or `failure` when the check fails or takes too long. */
async function within(check: Promise<string | null>, failure: string): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(failure), PATIENCE);
  });
  try {
    return await Promise.race([check.catch(() => failure), late]);
  } finally {
    clearTimeout(timer);
  }
}
