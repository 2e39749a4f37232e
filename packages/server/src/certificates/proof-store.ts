import { createKeySet, PROOF_LIFETIME, type ProductSnapshot } from '@touchstone/certificate';
import { type Addresses, signProof } from '@touchstone/certificate/issue';
import type { SigningKeys } from '../keys/open-keys.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import {
  latestProof,
  type ProofRecord,
  recordIntent,
  recordSignature,
  snapshotHash,
  unboundHash,
} from './proof-table.ts';
import { boundMembers, type ProofSubject, prepareProofOf } from './signed-document.ts';

/** A proof is never served with less than this left, in milliseconds: 2 days, one in a cache and one on a page. */
const LEAST_LEFT = 2 * 86_400_000;

/** A proof at hand, and what its document is rendered from. */
export interface Proof {
  readonly jwt: string;
  readonly kid: string;
  readonly snapshot: ProductSnapshot;
  readonly issuedAt: Date;
  /** The proof's own end. */
  readonly expiresAt: Date;
  /** It may be served up to this moment; a new generation comes after. */
  readonly servedUntil: Date;
}

export interface ProofStore {
  /**
   * The one proof of this state: the recorded one, or a new one.
   *
   * @throws ServiceError `signer_unavailable` when none is at hand and none can be made
   */
  proofFor(subject: ProofSubject): Promise<Proof>;
}

export interface ProofStoreOptions {
  readonly db: Database;
  readonly keys: Pick<SigningKeys, 'signer' | 'signerOf' | 'publicKey' | 'verify' | 'sha256'>;
  /** The base address is the `iss` of our proofs. */
  readonly addresses: Addresses;
  readonly clock: Clock;
  /** Called for every signature made, for counting. */
  readonly onSignature?: () => void;
}

/** In the place of a proof's own times, where only the form of documents counts. */
const NO_TIMES = { kid: '', issuedAt: new Date(0), expiresAt: new Date(0) };

/** Others may be recording the same state, keys may change hands: each round finds where it stands. */
const ROUNDS = 6;

/**
 * The intent is recorded, then signed, then verified, then the signature is recorded. Where
 * a node stopped in between, the next one to ask goes on with the recorded bytes and key.
 */
export function createProofStore(options: ProofStoreOptions): ProofStore {
  const { db, keys, addresses, clock } = options;
  const binding = { addresses, sha256: keys.sha256 };

  const beginProof = async (subject: ProofSubject, hash: Buffer, generation: number, again: boolean) => {
    const signer = await keys.signer(again);
    const iat = Math.floor(clock().getTime() / 1000);
    const issuedAt = new Date(iat * 1000);
    const expiresAt = new Date((iat + PROOF_LIFETIME) * 1000);
    const intent = await prepareProofOf(subject, { kid: signer.kid, issuedAt, expiresAt }, binding);
    return recordIntent(db, { subject, hash, generation, intent, issuedAt, expiresAt });
  };

  const complete = async (record: ProofRecord): Promise<Proof | null> => {
    const signer = await keys.signerOf(record.intent.kid);
    const publicJwk = await keys.publicKey(record.intent.kid);
    if (signer === null || publicJwk === null) return null;
    const keySet = createKeySet({ keys: [publicJwk] }, keys.verify, keys.sha256);
    options.onSignature?.();
    const jwt = await signProof(record.intent, signer, keySet, clock()).catch((cause: unknown) => {
      throw new ServiceError('signer_unavailable', { cause, retryAfter: 5 });
    });
    const signature = jwt.slice(jwt.lastIndexOf('.') + 1);
    const standing = await recordSignature(db, record, signature, clock());
    return standing === null ? null : proofOf(record, standing);
  };

  return {
    async proofFor(subject) {
      const { baseUrl } = addresses;
      const hash = snapshotHash(baseUrl, subject.snapshot, await boundMembers(subject, NO_TIMES, binding));
      const unbound = unboundHash(baseUrl, subject.snapshot);
      let generation = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const found = await latestProof(db, subject, hash, unbound);
        const usable = found !== null && isServable(found, clock()) && found.generation >= generation;
        if (usable && found.signature !== null) return proofOf(found, found.signature);
        generation = usable ? found.generation : Math.max(generation, (found?.generation ?? 0) + 1);
        const record = usable ? found : await beginProof(subject, hash, generation, round > 0);
        if (record === null) continue;
        const proof = await complete(record);
        if (proof !== null) return proof;
        // its key was revoked, or can sign no more: the next generation is begun under another
        generation = record.generation + 1;
      }
      throw new ServiceError('signer_unavailable', { retryAfter: 1 });
    },
  };
}

function isServable(record: ProofRecord, now: Date): boolean {
  return !record.keyRevoked && record.expiresAt.getTime() - now.getTime() >= LEAST_LEFT;
}

function proofOf(record: ProofRecord, signature: string): Proof {
  const { intent, snapshot, issuedAt, expiresAt } = record;
  return {
    jwt: `${intent.header}.${intent.payload}.${signature}`,
    kid: intent.kid,
    snapshot,
    issuedAt,
    expiresAt,
    servedUntil: new Date(expiresAt.getTime() - LEAST_LEFT),
  };
}
