import { CannotVerifyError } from './cannot-verify-error.ts';

/** Milliseconds by which a proof may be dated ahead (spec, `timestampValid`). */
const EARLY = 300_000;

/**
 * Whether a genuine proof of this `iat` may be signed with a key that was published after a key set was read, at `readAt`; then
 * nothing follows from the key's absence. A set read at the time of verification is newer than any proof, whatever the clocks.
 *
 * @param iat - the claim, of any type
 */
export function mayPredate(readAt: number, now: number, iat: unknown): boolean {
  const issuedAt = typeof iat === 'number' ? iat * 1000 : -1;
  return readAt < now && readAt <= issuedAt && issuedAt <= now + EARLY;
}

export function olderKeys(source: string): CannotVerifyError {
  return new CannotVerifyError(
    'keys_unavailable',
    `${source}: the keys were read before the proof was issued.`,
  );
}
