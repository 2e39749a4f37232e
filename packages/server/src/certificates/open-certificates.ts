import type { RegistryFacts } from '@touchstone/certificate';
import type { Addresses } from '@touchstone/certificate/issue';
import { createGetJwks, type GetJwks } from '../keys/get-jwks.ts';
import type { KeyPolicy, SigningKey } from '../keys/key-schedule.ts';
import { openSigning, type Signing } from '../keys/open-signing.ts';
import { createCertificateCache } from '../platform/cache/certificate-cache.ts';
import { type ChangeListener, listenForChanges } from '../platform/cache/change-listener.ts';
import { type ChangeHub, createChangeHub } from '../platform/cache/changes.ts';
import { createFreshCache } from '../platform/cache/fresh-cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Connection, Database } from '../platform/database/database.ts';
import { createVerifyImage, type ImageFacts, type VerifyImage } from '../verification/verify-image.ts';
import { createVerifyProduct, type VerifyProduct } from '../verification/verify-product.ts';
import { createGetAssetCertificate, type GetAssetCertificate } from './get-asset-certificate.ts';
import { createGetCertificate, type GetCertificate } from './get-certificate.ts';
import { createGetImageCertificate, type GetImageCertificate } from './get-image-certificate.ts';

export interface CertificatesOptions {
  readonly db: Database;
  /** For the connection that listens to changes; a session of its own, no transaction pooler between. */
  readonly connection: Connection;
  readonly clock: Clock;
  /** 32 bytes (`openMasterKey`). */
  readonly masterKey: Uint8Array;
  readonly addresses: Addresses;
  /** Base addresses under which proofs were issued before. */
  readonly formerBaseUrls: readonly string[];
  readonly keyPolicy?: KeyPolicy;
  /** An image verifies on domains alone whose control is proven; false unless told (decision 19). */
  readonly requireVerifiedDomain?: boolean;
  /** Memory for certificates, in bytes; 64 MB unless told. */
  readonly cacheBytes?: number;
  readonly onSignature?: () => void;
  /** A certificate was asked for: answered from memory, or read. */
  readonly onAnswer?: (from: 'memory' | 'database') => void;
  /** The listening connection was lost; for the log. */
  readonly onListenerLost?: (cause: unknown) => void;
  /** Milliseconds on a clock that never jumps. */
  readonly monotonic?: () => number;
}

/** The use cases around certificates on one node, and what others need of them. */
export interface Certificates {
  readonly getCertificate: GetCertificate;
  readonly getAssetCertificate: GetAssetCertificate;
  readonly getImageCertificate: GetImageCertificate;
  readonly verifyImage: VerifyImage;
  readonly verifyProduct: VerifyProduct;
  readonly getJwks: GetJwks;
  readonly signing: Signing;
  /** Whoever writes on this node publishes its changes here right after its commit. */
  readonly changes: ChangeHub;
  readonly listener: ChangeListener;
  close(): Promise<void>;
}

const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
/** Keys are a handful, however long the service runs. */
const KEY_CACHE_BYTES = 1024 * 1024;
/** Facts of some hundred thousand products. */
const FACTS_SHARE = 4;

/**
 * Puts the use cases around certificates together.
 *
 * @throws MasterKeyError when the master key is not the one of the keys in the database; `database_unavailable`
 */
export async function openCertificates(options: CertificatesOptions): Promise<Certificates> {
  const { db, clock, addresses } = options;
  const hub = createChangeHub();
  const listener = listenForChanges({
    connection: options.connection,
    hub,
    ...(options.monotonic === undefined ? {} : { monotonic: options.monotonic }),
    ...(options.onListenerLost === undefined ? {} : { onLost: options.onListenerLost }),
  });
  const fresh = { hub, freshness: listener, clock };
  const maxBytes = options.cacheBytes ?? DEFAULT_CACHE_BYTES;
  const signing = await openSigning({
    db,
    clock,
    masterKey: options.masterKey,
    issuer: addresses.baseUrl,
    onKeyChange: (kid) => hub.publish(`k:${kid}`),
    cacheKeys: cacheKeys(createFreshCache({ ...fresh, maxBytes: KEY_CACHE_BYTES })),
    ...(options.keyPolicy === undefined ? {} : { policy: options.keyPolicy }),
    ...(options.onSignature === undefined ? {} : { onSignature: options.onSignature }),
  }).catch(async (error: unknown) => {
    await listener.close();
    throw error;
  });
  const { keys, proofs } = signing;
  const onAnswer = options.onAnswer === undefined ? {} : { onAnswer: options.onAnswer };
  const cache = createCertificateCache({ ...fresh, maxBytes, ...onAnswer });
  const facts = createFreshCache<RegistryFacts>({ ...fresh, maxBytes: maxBytes / FACTS_SHARE });
  const imageFacts = createFreshCache<ImageFacts>({ ...fresh, maxBytes: maxBytes / FACTS_SHARE });
  return {
    getCertificate: createGetCertificate({ db, proofs, cache, addresses }),
    getAssetCertificate: createGetAssetCertificate({ db, proofs, cache, addresses }),
    getImageCertificate: createGetImageCertificate({ db, proofs, cache, addresses }),
    verifyImage: createVerifyImage({
      db,
      proofs,
      keys,
      facts: imageFacts,
      issuer: addresses.baseUrl,
      clock,
      requireVerifiedDomain: options.requireVerifiedDomain ?? false,
    }),
    verifyProduct: createVerifyProduct({
      db,
      keys,
      facts,
      issuers: [addresses.baseUrl, ...options.formerBaseUrls],
      clock,
    }),
    getJwks: createGetJwks({ keys }),
    signing,
    changes: hub,
    listener,
    close: () => listener.close(),
  };
}

function cacheKeys(cache: ReturnType<typeof createFreshCache<readonly SigningKey[]>>) {
  return (read: () => Promise<readonly SigningKey[]>) => () =>
    cache.get('keys', async () => {
      const keys = await read();
      return { value: keys, tags: ['k:*'] as const, bytes: keys.length * 2_000 };
    });
}
