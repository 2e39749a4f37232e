import type { Addresses } from '@touchstone/certificate/issue';
import { createFreshCache, type FreshCacheOptions } from '../../platform/cache/fresh-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import type { SnapshotLoader } from '../certificates/load-snapshot.ts';
import type { ProofStore } from '../certificates/proof-store.ts';
import type { SigningKeys } from '../keys/open-proof-keys.ts';
import { createClaimedHosts } from './claimed-hosts.ts';
import type { ProductRegistryFacts } from './live-withdrawal.ts';
import { createVerifyImage, type ImageFacts, type VerifyImage } from './verify-image.ts';
import {
  createProductFacts,
  createReadSigned,
  createVerifyCarried,
  createVerifyProduct,
  type ProductFacts,
  type ReadSigned,
  type VerifyCarried,
  type VerifyProduct,
} from './verify-product.ts';

export interface VerificationOptions {
  readonly db: Database;
  readonly secrets: Pick<DatabaseSecrets, 'rows'>;
  readonly snapshots: SnapshotLoader;
  readonly clock: Clock;
  readonly keys: Pick<SigningKeys, 'trusted' | 'trustedNow' | 'revoked' | 'areStale' | 'sha256'>;
  readonly proofs: ProofStore;
  /** The base address is the `iss` of our proofs. */
  readonly addresses: Addresses;
  /** Base addresses under which proofs were issued before. */
  readonly formerIssuers: readonly string[];
  readonly caching: Pick<FreshCacheOptions, 'hub' | 'freshness'>;
  /** Bytes of memory for the facts of products; the same again for those of images. */
  readonly cacheBytes?: number;
  /** Whether images verify only on domains whose control is proven. Default: false. */
  readonly requireVerifiedDomain?: boolean;
}

export interface Verification {
  readonly verifyProduct: VerifyProduct;
  readonly verifyCarried: VerifyCarried;
  readonly productFacts: ProductFacts;
  readonly readSigned: ReadSigned;
  readonly verifyImage: VerifyImage;
}

/** Bytes: enough for the facts of some hundred thousand products. */
const DEFAULT_CACHE_BYTES = 16 * 1024 * 1024;

export function openVerification(options: VerificationOptions): Verification {
  const { db, snapshots, clock, keys, proofs, addresses, formerIssuers } = options;
  const caching = { ...options.caching, clock, maxBytes: options.cacheBytes ?? DEFAULT_CACHE_BYTES };
  const productFacts = createProductFacts({
    snapshots,
    claimedHosts: createClaimedHosts(db, options.secrets.rows),
    cache: createFreshCache<ProductRegistryFacts>({
      ...caching,
      asStale: (facts) => ({ ...facts, stale: true }),
    }),
  });
  const issuers = [addresses.baseUrl, ...formerIssuers];
  return {
    productFacts,
    verifyProduct: createVerifyProduct({ productFacts, keys, clock, issuers }),
    verifyCarried: createVerifyCarried({ productFacts, keys, clock, issuers }),
    readSigned: createReadSigned({ keys, clock, issuers }),
    verifyImage: createVerifyImage({
      snapshots,
      proofs,
      keys,
      clock,
      addresses,
      sha256: keys.sha256,
      facts: createFreshCache<ImageFacts>({ ...caching, asStale: (facts) => ({ ...facts, stale: true }) }),
      requireVerifiedDomain: options.requireVerifiedDomain ?? false,
    }),
  };
}
