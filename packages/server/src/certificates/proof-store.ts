import {
  createKeySet,
  PROOF_LIFETIME,
  type ProductSnapshot,
  type VerifyRs256,
} from '@touchstone/certificate';
import {
  assetClaims,
  imageClaims,
  type ProofIntent,
  prepareProof,
  productClaims,
  type Signer,
  signProof,
} from '@touchstone/certificate/issue';
import type { KeyRing } from '../keys/key-ring.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import {
  latestProof,
  type ProofRecord,
  type ProofSubject,
  recordIntent,
  recordSignature,
  snapshotHash,
} from './proof-table.ts';

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
  readonly keys: KeyRing;
  /** The `iss` of our proofs: the base address. */
  readonly issuer: string;
  readonly clock: Clock;
  readonly verify: VerifyRs256;
  /** Called for every signature made, for counting. */
  readonly onSignature?: () => void;
}

/** Others may be recording the same state, keys may change hands: each round finds where it stands. */
const ROUNDS = 6;

/**
 * The intent is recorded, then signed, then verified, then the signature is recorded. Where
 * a node stopped in between, the next one to ask goes on with the recorded bytes and key.
 */
export function createProofStore(options: ProofStoreOptions): ProofStore {
  const { db, keys, issuer, clock } = options;

  const beginProof = async (subject: ProofSubject, hash: Buffer, generation: number, again: boolean) => {
    const signer = await keys.signer(again);
    const iat = Math.floor(clock().getTime() / 1000);
    const issuedAt = new Date(iat * 1000);
    const intent = intentOf(subject, issuer, issuedAt, signer.kid);
    const expiresAt = new Date((iat + PROOF_LIFETIME) * 1000);
    return recordIntent(db, { subject, hash, generation, intent, issuedAt, expiresAt });
  };

  const complete = async (record: ProofRecord): Promise<Proof | null> => {
    const signer = await keys.signerOf(record.intent.kid);
    const publicJwk = await keys.publicKey(record.intent.kid);
    if (signer === null || publicJwk === null) return null;
    const keySet = createKeySet({ keys: [publicJwk] }, options.verify);
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
      const hash = snapshotHash(issuer, subject.snapshot);
      let generation = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const found = await latestProof(db, subject, hash);
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

function intentOf(subject: ProofSubject, issuer: string, issuedAt: Date, kid: Signer['kid']): ProofIntent {
  const { kind, snapshot } = subject;
  if (kind === 'product') return prepareProof(kind, productClaims(snapshot, { issuer, issuedAt }), kid);
  const image = snapshot.images.find(({ imageId }) => imageId === subject.id);
  if (image === undefined) throw new Error(`the snapshot of ${kind} ${subject.id} does not hold its image`);
  const claims = kind === 'asset' ? assetClaims : imageClaims;
  return prepareProof(kind, claims(snapshot, image, { issuer, issuedAt }), kid);
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
