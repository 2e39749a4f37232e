import type { DatabaseSecrets } from '../../../platform/secrets/database-secrets.ts';

/** Bytes of the keyed hash in a challenge. */
const BYTES = 24;

const FORMAT = /^touchstone-challenge-[\w-]{32}$/;

/**
 * What a merchant puts on a host to prove that it controls it: the same for all its stores. It is derived from the master key and not
 * stored, so that whoever can write to the database cannot replace it by another merchant's, or by what the host says anyway.
 */
export function challengeOf(
  { hash }: Pick<DatabaseSecrets, 'hash'>,
  merchantId: string,
  hostname: string,
): string {
  const derived = hash('challenges of hosts', JSON.stringify([merchantId, hostname]));
  return `touchstone-challenge-${derived.subarray(0, BYTES).toString('base64url')}`;
}

/** Whether a text can be a challenge: no other may be looked for. */
export function isChallenge(text: string): boolean {
  return FORMAT.test(text);
}
