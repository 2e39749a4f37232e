import {
  claimedProductId,
  type KeySet,
  type SignedClaims,
  type VerificationResult,
  verify,
  verifyProof,
} from '@touchstone/certificate';
import { withWithdrawal } from '@touchstone/certificate/withdrawal';
import type { FreshCache, Loaded } from '../../platform/cache/fresh-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { LoadedProduct, SnapshotLoader } from '../certificates/load-snapshot.ts';
import { invalidation } from '../certificates/rendered-certificate.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { ClaimedHost, ClaimedHosts } from './claimed-hosts.ts';
import { type ProductRegistryFacts, withdrawalFacts, withLiveWithdrawal } from './live-withdrawal.ts';

export interface VerifyProductInput {
  readonly productId: string;
  /** Address of the page on which the document was found. */
  readonly pageUrl: string;
  /** The document that was found there: any value; null means the same as absent. */
  readonly document?: unknown;
}

/**
 * Spec, Endpoints 3: whether a certificate is bound to this page and product, according to the registry now.
 *
 * @throws ServiceError `product_unknown` (unknown, disabled or deleted: callers must not learn which), `database_unavailable`;
 *   never because of the contents of the document
 */
export type VerifyProduct = (input: VerifyProductInput) => Promise<VerificationResult>;

/** The facts about a product in the registry now. @throws ServiceError as `VerifyProduct` */
export type ProductFacts = (productId: string) => Promise<ProductRegistryFacts>;

export interface ProductFactsOptions {
  readonly snapshots: SnapshotLoader;
  readonly claimedHosts: ClaimedHosts;
  /** Cached facts, used while they are proven to be current. */
  readonly cache: FreshCache<ProductRegistryFacts>;
}

export function createProductFacts({ snapshots, claimedHosts, cache }: ProductFactsOptions): ProductFacts {
  const load = async (productId: string) => {
    const product = await snapshots.product(productId);
    if (product === null) throw new ServiceError('product_unknown');
    return factsOf(product, await claimedHosts(product));
  };
  return async (productId) => {
    const id = productId.toLowerCase();
    return cache.get(`p:${id}`, () => load(id));
  };
}

export interface VerifyProductOptions {
  readonly keys: Pick<KeyRing, 'trusted' | 'trustedNow' | 'revoked' | 'areStale'>;
  readonly productFacts: ProductFacts;
  /** Our own values of `iss`: the base address and former ones. */
  readonly issuers: readonly string[];
  readonly clock: Clock;
}

export function createVerifyProduct(options: VerifyProductOptions): VerifyProduct {
  const judge = createJudge(options);
  return async ({ productId, ...submitted }) => {
    const id = productId.toLowerCase();
    return judge({ ...submitted, productId: id }, options.productFacts(id));
  };
}

/**
 * The same for a certificate that was found anywhere, and the product that it names itself. That of a product which the registry does not
 * serve is withdrawn: it was deleted or disabled.
 *
 * @throws ServiceError `database_unavailable`
 */
export type VerifyCarried = (submitted: Omit<VerifyProductInput, 'productId'>) => Promise<VerificationResult>;

export function createVerifyCarried(options: VerifyProductOptions): VerifyCarried {
  const judge = createJudge(options);
  return async (submitted) => {
    const productId = claimedProductId(submitted.document).toLowerCase();
    const facts = productId === '' ? undefined : options.productFacts(productId).catch(unlessUnknown);
    const result = await judge({ ...submitted, productId }, facts);
    return (await facts) === undefined && result.signed !== undefined
      ? withWithdrawal(result, { status: 'invalid', reason: 'withdrawn' })
      : result;
  };
}

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'product_unknown') throw error;
}

/** Verifies with the keys at hand, again with those of now for an unknown one, and tells a revoked one. */
function createJudge({ keys, issuers, clock }: Omit<VerifyProductOptions, 'productFacts'>) {
  const trustedKeys = async () => ({ keySet: await keys.trusted(), stale: keys.areStale() });
  return async (
    submitted: VerifyProductInput,
    productFacts: Promise<ProductRegistryFacts | undefined> | undefined,
  ): Promise<VerificationResult> => {
    // at once: where the database does not answer, each waits for it before an earlier copy is taken
    const [facts, trusted] = await Promise.all([productFacts, trustedKeys()]);
    const verifyWith = async (keySet: KeySet, stale = false) => {
      const input = { ...submitted, keySet, issuers, now: clock() };
      if (facts === undefined) return verify(input);
      const registry = stale ? { ...facts, stale } : facts;
      return withLiveWithdrawal(await verify({ ...input, registry }), registry);
    };
    const cached = await verifyWith(trusted.keySet, trusted.stale);
    if (!lacksKey(cached.checkDetails)) return cached;
    const result = await verifyWith(await keys.trustedNow());
    if (!lacksKey(result.checkDetails)) return result;
    const byRevoked = await verifyWith(await keys.revoked());
    // what it signed is not told as signed, since whoever stole the key may have done so
    return byRevoked.checks.signatureValid === true
      ? withWithdrawal(result, { status: 'invalid', reason: 'key_revoked' })
      : result;
  };
}

/** Whether the proof may be signed with a key that is newer than the cached ones. */
function lacksKey({ signatureValid }: { readonly signatureValid: { readonly reason: string } }): boolean {
  return signatureValid.reason === 'key_unknown';
}

/** The contents of a proof, if it is one of ours; without a query to the registry. */
export type ReadSigned = (jwt: string) => Promise<SignedClaims | undefined>;

export function createReadSigned(
  options: Pick<VerifyProductOptions, 'issuers' | 'clock'> & {
    readonly keys: Pick<KeyRing, 'trusted' | 'trustedNow'>;
  },
): ReadSigned {
  const { keys, issuers, clock } = options;
  return async (jwt) => {
    const against = { now: clock(), issuers };
    const cached = await verifyProof(jwt, await keys.trusted(), against);
    return (lacksKey(cached) ? await verifyProof(jwt, await keys.trustedNow(), against) : cached).signed;
  };
}

/** Approximate bytes of one hostname with its object. */
const PER_DOMAIN = 120;

function factsOf(product: LoadedProduct, claimed: readonly ClaimedHost[]): Loaded<ProductRegistryFacts> {
  const { snapshot, domains, coverage } = product;
  const lostHosts = claimed.filter(({ lost }) => lost).map(({ hostname }) => hostname);
  const publishing = product.state === 'active';
  const { tags } = invalidation(product);
  return {
    value: {
      issuedFor: snapshot.domain,
      domains,
      lostHosts,
      coverage,
      publishing,
      ...withdrawalFacts(product),
    },
    bytes: 200 + (domains.length + 2 * claimed.length) * PER_DOMAIN,
    tags: [...tags, ...claimed.map(({ hostname }) => `h:${hostname}` as const)],
  };
}
