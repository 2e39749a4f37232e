import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { DatabaseTransaction } from './database.ts';

/** What is done by one transaction at a time, over all nodes. Those with a colon share locks by a digest of what follows. */
export type LockName = 'operator keys' | 'signing keys' | `jobs ${string}` | `hostname: ${string}`;

/** Locks for names without number: two that share one only wait for each other. */
const SHARED = 1_024;

/**
 * Holds locks until the end of the transaction: rows of `locks`. In the order of their rows, so that transactions which take several at
 * once do not wait for each other in a circle.
 */
export async function lockFor(trx: DatabaseTransaction, ...names: readonly LockName[]): Promise<void> {
  for (const row of [...new Set(names.map(rowOf))].toSorted())
    await sql`select lock_for(${row})`.execute(trx);
}

function rowOf(name: LockName): string {
  const at = name.indexOf(':');
  if (at < 0) return name;
  const digest = createHash('sha256').update(name).digest().readUInt32BE();
  return `${name.slice(0, at)} ${digest % SHARED}`;
}
