import type { RsaPublicJwk } from '@touchstone/certificate';
import type { NewKey } from './key-store.ts';
import { newRsaKey } from './rsa-keys.ts';

/** What a new service makes: keys of proofs and of status lists, each with two standbys. */
const OF_ONE = 6;
/** Services in turn have the same keys, but no two of so many that are opened one after another. */
const IN_TURN = 4;

/**
 * For tests: keys for a new service. Making them took half of the time that such a service needs to start; the first ones are therefore
 * made once per process, and kept, which is why this module has state. Any further key of a service is a new one.
 */
export function testKeys(): () => Promise<NewKey<RsaPublicJwk>> {
  const first = (kept.opened % IN_TURN) * OF_ONE;
  kept.opened += 1;
  let taken = 0;
  return () => {
    if (taken === OF_ONE) return newRsaKey();
    const at = first + taken;
    taken += 1;
    kept.keys[at] ??= newRsaKey();
    return kept.keys[at];
  };
}

const kept: { opened: number; readonly keys: Promise<NewKey<RsaPublicJwk>>[] } = { opened: 0, keys: [] };
