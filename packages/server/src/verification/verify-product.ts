import { type RegistryFacts, type VerificationResult, verify } from '@touchstone/certificate';
import type { LoadedProduct, SnapshotLoader } from '../certificates/load-snapshot.ts';
import { invalidation } from '../certificates/rendered-certificate.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { FreshCache, Loaded } from '../platform/cache/fresh-cache.ts';
import type { Clock } from '../platform/clock.ts';
import { ServiceError } from '../platform/errors.ts';

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

export interface VerifyProductOptions {
  readonly snapshots: SnapshotLoader;
  readonly keys: Pick<KeyRing, 'trusted'>;
  /** What the registry knew of a product when it was last read, while that is proven to stand. */
  readonly facts: FreshCache<RegistryFacts>;
  /** Values of `iss` that are ours: the base address and the former ones. */
  readonly issuers: readonly string[];
  readonly clock: Clock;
}

export function createVerifyProduct(options: VerifyProductOptions): VerifyProduct {
  const { snapshots, keys, facts, issuers, clock } = options;
  const load = async (productId: string) => {
    const product = await snapshots.product(productId);
    if (product === null) throw new ServiceError('product_unknown');
    return factsOf(product);
  };
  return async ({ productId, pageUrl, document }) => {
    const id = productId.toLowerCase();
    const registry = await facts.get(`p:${id}`, () => load(id));
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

/** Bytes of one hostname with its object, about. */
const PER_DOMAIN = 120;

function factsOf(product: LoadedProduct): Loaded<RegistryFacts> {
  const { snapshot, domains, coverage } = product;
  return {
    value: { issuedFor: snapshot.domain, domains, coverage, publishing: product.state === 'active' },
    bytes: 200 + domains.length * PER_DOMAIN,
    ...invalidation(product),
  };
}
