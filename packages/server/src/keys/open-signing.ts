import type { VerifyRs256 } from '@touchstone/certificate';
import { createProofStore, type ProofStore } from '../certificates/proofs/proof-store.ts';
import { purgeProofs } from '../certificates/proofs/proof-table.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { fileSigner } from './file-signer.ts';
import { createKeyRing, type KeyRing } from './key-ring.ts';
import { DEFAULT_KEY_POLICY, type KeyPolicy, type KeyStep, type SigningKey } from './key-schedule.ts';
import { readSigningKeys } from './key-table.ts';
import { MasterKeyError } from './master-key.ts';
import { nodeRs256 } from './node-rs256.ts';
import { type PrivateKeySeal, privateKeySeal } from './private-key-seal.ts';
import { revokeKey, tendKeys } from './rotate-keys.ts';

export interface SigningOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** 32 bytes (`openMasterKey`). */
  readonly masterKey: Uint8Array;
  /** The `iss` of our proofs: the base address, without a trailing slash. */
  readonly issuer: string;
  readonly policy?: KeyPolicy;
  /** Puts a cache before the reading of keys; it must drop its copy on every change of a key. */
  readonly cacheKeys?: (read: () => Promise<readonly SigningKey[]>) => () => Promise<readonly SigningKey[]>;
  /** This node changed a key, or several (`*`): the copy of `cacheKeys` is outdated at once. */
  readonly onKeyChange?: (kid: string) => void;
  /** Called for every signature made, for counting. */
  readonly onSignature?: () => void;
}

/** Keys and proofs of one node. */
export interface Signing {
  readonly keys: KeyRing;
  readonly proofs: ProofStore;
  readonly verify: VerifyRs256;
  /** Brings the keys into order and throws expired proofs away; hourly is often enough. */
  tend(): Promise<KeyStep[]>;
  /** Every key that there ever was, as the database has it now. */
  list(): Promise<readonly SigningKey[]>;
  /** Takes a key out of use at once; false when it is unknown or was revoked before. */
  revoke(kid: string): Promise<boolean>;
}

/** Proofs are thrown away this long after they expired, in milliseconds; nothing asks for them any more. */
const PURGED_AFTER = 86_400_000;
const PURGE_BITE = 5_000;

/**
 * Opens the service's keys: makes the first ones where there are none, and makes sure that the master key opens
 * those that are there.
 *
 * @throws MasterKeyError when it does not
 */
export async function openSigning(options: SigningOptions): Promise<Signing> {
  const { db, clock } = options;
  const seal = privateKeySeal(options.masterKey);
  const keeping = { db, clock, seal, policy: options.policy ?? DEFAULT_KEY_POLICY };
  requireMasterKeyOpens(await readSigningKeys(db), seal);
  await tendKeys(keeping);
  // again: another node may have made the first keys, with a master key of its own
  requireMasterKeyOpens(await readSigningKeys(db), seal);
  const readKeysNow = () => readSigningKeys(db);
  const verify = nodeRs256();
  const tend = async () => {
    const steps = await tendKeys(keeping);
    if (steps.length > 0) options.onKeyChange?.('*');
    return steps;
  };
  const keys = createKeyRing({
    readKeys: options.cacheKeys?.(readKeysNow) ?? readKeysNow,
    readKeysNow,
    tend,
    openSigner: (key) =>
      key.sealedPrivateKey === undefined
        ? null
        : fileSigner(key.kid, seal.open(key.kid, key.sealedPrivateKey)),
    verify,
    clock,
  });
  const { issuer, onSignature } = options;
  const counting = onSignature === undefined ? {} : { onSignature };
  return {
    keys,
    proofs: createProofStore({ db, keys, issuer, clock, verify, ...counting }),
    verify,
    list: readKeysNow,
    async tend() {
      const steps = await tend();
      const until = new Date(clock().getTime() - PURGED_AFTER);
      while ((await purgeProofs(db, until, PURGE_BITE)) === PURGE_BITE);
      return steps;
    },
    async revoke(kid) {
      const revoked = await revokeKey(keeping, kid);
      options.onKeyChange?.(kid);
      options.onKeyChange?.('*');
      return revoked;
    },
  };
}

function requireMasterKeyOpens(keys: readonly SigningKey[], seal: PrivateKeySeal): void {
  for (const { kid, sealedPrivateKey } of keys) {
    if (sealedPrivateKey === undefined) continue;
    try {
      seal.open(kid, sealedPrivateKey);
    } catch {
      throw new MasterKeyError(
        `The master key is not the one that sealed the signing key ${kid}: supply the file of the node that made it ` +
          '(TOUCHSTONE_MASTER_KEY_FILE), the same on every node',
      );
    }
  }
}
