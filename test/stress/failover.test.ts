import { expect, it } from 'vitest';
import { runFailovers, type Strike } from '../drills/support/failovers.ts';
import { missingPackages } from '../drills/support/programs.ts';

const missing = missingPackages(['patroni', 'etcd-server', 'haproxy', 'postgresql-15']);
const SEED = Number(process.env.TOUCHSTONE_STRESS_SEED ?? Math.floor(Math.random() * 1e9));
/** A machine that dies is replaced after 20 s: `npm run drill:failover` has that, too. */
const STRIKES: readonly Strike[] = ['misroute', 'switchover', 'kill'];
const without = missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')} not installed)`;

it.skipIf(missing.length > 0)(
  `a database that fails over loses no acknowledged write, and no node serves a proof of a product hidden before (TOUCHSTONE_STRESS_SEED=${SEED})${without}`,
  async () => {
    const { failovers, counts, stale, lost } = await runFailovers({
      strikes: STRIKES,
      machines: 2,
      seed: SEED,
    });
    console.info(JSON.stringify({ failovers, counts }));
    expect({ stale, lost }).toEqual({ stale: [], lost: [] });
    expect(counts.writes).toBeGreaterThan(0);
    expect(counts.hidden).toBeGreaterThan(0);
    // answered while there was no database
    expect(counts['stale warnings']).toBeGreaterThan(0);
  },
);
