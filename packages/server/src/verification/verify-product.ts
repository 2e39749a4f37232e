import {
  type RegistryFacts,
  type SignedClaims,
  type VerificationResult,
  verify,
  verifyProof,
} from '@touchstone/certificate';
import type { LoadedProduct, SnapshotLoader } from '../certificates/load-snapshot.ts';
import { invalidation } from '../certificates/rendered-certificate.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { FreshCache, Loaded } from '../platform/cache/fresh-cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import { type ClaimedHost, claimedHosts } from './claimed-hosts.ts';

export interface VerifyProductInput {
  readonly productId: string;
  /** Address of the page that the document was found on. */
  readonly pageUrl: string;
  /** What was found there; anything at all, and null says the same as leaving it out. */
  readonly document?: unknown;
}

/**
 * Spec, Endpoints 3: whether a certificate is bound to this page and product, by the registry's knowledge of now.
 *
 * @throws ServiceError `product_unknown` (unknown, disabled, deleted: strangers must not learn which), `database_unavailable`; never
 *   because of what the document holds
 */
export type VerifyProduct = (input: VerifyProductInput) => Promise<VerificationResult>;

/** What the registry knows of a product now. @throws ServiceError as `VerifyProduct` */
export type ProductFacts = (productId: string) => Promise<RegistryFacts>;

export interface ProductFactsOptions {
  readonly db: Database;
  readonly snapshots: SnapshotLoader;
  /** What was known of a product when it was last read, while that is proven to stand. */
  readonly cache: FreshCache<RegistryFacts>;
}

export function createProductFacts({ db, snapshots, cache }: ProductFactsOptions): ProductFacts {
  const load = async (productId: string) => {
    const product = await snapshots.product(productId);
    if (product === null) throw new ServiceError('product_unknown');
    return factsOf(product, await claimedHosts(db, product));
  };
  return (productId) => {
    const id = productId.toLowerCase();
    return cache.get(`p:${id}`, () => load(id));
  };
}

export interface VerifyProductOptions {
  readonly keys: Pick<KeyRing, 'trusted'>;
  readonly productFacts: ProductFacts;
  /** Values of `iss` that are ours: the base address and the former ones. */
  readonly issuers: readonly string[];
  readonly clock: Clock;
}

export function createVerifyProduct(options: VerifyProductOptions): VerifyProduct {
  const { keys, productFacts, issuers, clock } = options;
  return async ({ productId, pageUrl, document }) => {
    const id = productId.toLowerCase();
    const registry = await productFacts(id);
    return verify({
      ...(document === undefined || document === null ? {} : { document }),
      pageUrl,
      productId: id,
      keySet: await keys.trusted(),
      issuers,
      now: clock(),
      registry,
    });
  };
}

/** What a proof says, if it is one of ours; asks nothing of the registry. */
export type ReadSigned = (jwt: string) => Promise<SignedClaims | undefined>;

export function createReadSigned(
  options: Pick<VerifyProductOptions, 'keys' | 'issuers' | 'clock'>,
): ReadSigned {
  const { keys, issuers, clock } = options;
  return async (jwt) => (await verifyProof(jwt, await keys.trusted(), { now: clock(), issuers })).signed;
}

/** Bytes of one hostname with its object, about. */
const PER_DOMAIN = 120;

function factsOf(product: LoadedProduct, claimed: readonly ClaimedHost[]): Loaded<RegistryFacts> {
  const { snapshot, domains, coverage } = product;
  const lostHosts = claimed.filter(({ lost }) => lost).map(({ hostname }) => hostname);
  const publishing = product.state === 'active';
  const { tags } = invalidation(product);
  return {
    value: { issuedFor: snapshot.domain, domains, lostHosts, coverage, publishing },
    bytes: 200 + (domains.length + 2 * claimed.length) * PER_DOMAIN,
    tags: [...tags, ...claimed.map(({ hostname }) => `h:${hostname}` as const)],
  };
}
