import type { Addresses } from '@touchstone/certificate/issue';
import {
  type AnswerSource,
  createFreshCache,
  type FreshCacheOptions,
} from '../../platform/cache/fresh-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RenderedDocument } from '../../platform/http/rendered-document.ts';
import { type BackgroundPace, createBackgroundPace } from '../../platform/limits/background-pace.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import type { SigningKeys } from '../keys/open-proof-keys.ts';
import type { Emit } from '../registry/events.ts';
import { orderFutureDated } from './due-products.ts';
import {
  createFindCertificate,
  createFindCertificatePath,
  createFindPageProducts,
  type FindCertificate,
  type FindCertificatePath,
  type FindPageProducts,
} from './find-certificate.ts';
import { createGetAssetCertificate, type GetAssetCertificate } from './get-asset-certificate.ts';
import { createGetCredential, type GetCredential } from './get-credential.ts';
import { createGetImageCertificate, type GetImageCertificate } from './get-image-certificate.ts';
import { createGetCertificate, type GetCertificate } from './get-product-certificate.ts';
import { createIssueBatch, type IssueBatch, type IssueOutcome } from './issue-batch.ts';
import { createSnapshotLoader, type SnapshotLoader } from './load-snapshot.ts';
import type { ProofLog } from './proof-log.ts';
import { createProofStore, type ProofStore } from './proof-store.ts';
import { purgeProofs } from './proof-table.ts';
import { asStaleCertificate, type CertificateCache } from './rendered-certificate.ts';
import type { StatusEntries } from './status-entries.ts';
import {
  createStreamCertificates,
  createStreamEntries,
  type StreamCertificates,
  type StreamEntries,
} from './stream-certificates.ts';
import { createReadStreamState, type ReadStreamState } from './stream-state.ts';

export interface CertificatesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'rows'>;
  readonly keys: SigningKeys;
  readonly emit: Emit;
  readonly addresses: Addresses;
  readonly caching: Pick<FreshCacheOptions, 'hub' | 'freshness'>;
  /** Absent: proofs name no entry of a status list. */
  readonly statusEntries?: StatusEntries;
  /** Absent: proofs are not logged. */
  readonly proofLog?: ProofLog;
  /** Memory for certificates, in bytes; 64 MB where absent. */
  readonly cacheBytes?: number;
  /** The pace at which certificates are issued in advance. */
  readonly pace?: BackgroundPace;
  readonly onSignature?: () => void;
  /** Products were checked by background issuing. */
  readonly onIssued?: (outcome: IssueOutcome, count: number) => void;
  /** A certificate was requested, and answered from memory or from the database. */
  readonly onAnswer?: (from: AnswerSource) => void;
}

/** The use cases for certificates on one node, and what others need of them. */
export interface Certificates {
  readonly getCertificate: GetCertificate;
  readonly getCredential: GetCredential;
  readonly findCertificate: FindCertificate;
  readonly findCertificatePath: FindCertificatePath;
  readonly findPageProducts: FindPageProducts;
  readonly getAssetCertificate: GetAssetCertificate;
  readonly getImageCertificate: GetImageCertificate;
  readonly snapshots: SnapshotLoader;
  readonly proofs: ProofStore;
  readonly issueBatch: IssueBatch;
  readonly streamCertificates: StreamCertificates;
  readonly streamEntries: StreamEntries;
  readonly readStreamState: ReadStreamState;
  /** Deletes expired proofs; hourly is often enough. */
  readonly purge: () => Promise<number>;
  /** Has certificates replaced that are dated in the future; every few minutes is often enough. */
  readonly orderFutureDated: () => Promise<void>;
}

const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;

export function openCertificates(options: CertificatesOptions): Certificates {
  const { db, clock, keys, addresses, caching, onSignature, onAnswer, onIssued } = options;
  const proofs = createProofStore({
    db,
    keys,
    addresses,
    clock,
    ...(onSignature === undefined ? {} : { onSignature }),
    ...(options.statusEntries === undefined ? {} : { statusEntries: options.statusEntries }),
    ...(options.proofLog === undefined ? {} : { proofLog: options.proofLog }),
  });
  const cache = createFreshCache<RenderedDocument<unknown>>({
    ...caching,
    clock,
    maxBytes: options.cacheBytes ?? DEFAULT_CACHE_BYTES,
    asStale: asStaleCertificate,
    ...(onAnswer === undefined ? {} : { onAnswer }),
  }) as CertificateCache;
  const snapshots = createSnapshotLoader(db, options.secrets.rows);
  const issueBatch = createIssueBatch({
    db,
    clock,
    snapshots,
    proofs,
    emit: options.emit,
    pace: options.pace ?? createBackgroundPace(),
    ...(onIssued === undefined ? {} : { onIssued }),
  });
  const reading = { snapshots, proofs, cache, addresses };
  const getCertificate = createGetCertificate(reading);
  const streamEntries = createStreamEntries({ db, addresses, issueBatch });
  return {
    getCertificate,
    getCredential: createGetCredential({ ...reading, keys, onSignature }),
    findCertificate: createFindCertificate(db, options.secrets.rows, getCertificate),
    findCertificatePath: createFindCertificatePath(db, options.secrets.rows),
    findPageProducts: createFindPageProducts(db, options.secrets.rows),
    getAssetCertificate: createGetAssetCertificate(reading),
    getImageCertificate: createGetImageCertificate(reading),
    snapshots,
    proofs,
    issueBatch,
    streamCertificates: createStreamCertificates(streamEntries),
    streamEntries,
    readStreamState: createReadStreamState(db),
    purge: () => purgeProofs(db, clock()),
    orderFutureDated: () => orderFutureDated(db, clock()),
  };
}
