import type { ShopifyProblemCode } from '@touchstone/contract';
import type { AdminClient } from './admin-client.ts';
import { MAX_SHOP_TEXT, messagesOf, ShopifyProblem } from './problem.ts';
import {
  gidOf,
  KEY,
  type MetafieldsSetInput,
  NAMESPACE,
  SET_METAFIELDS,
  type SetMetafieldsAnswer,
} from './queries.ts';
import { readMetafields } from './read-metafields.ts';

/** A certificate to be written into a product's metafield. */
export interface Certificate {
  readonly shopifyId: string;
  /** RFC 3339. */
  readonly issuedAt: string;
  readonly value: string;
}

/** The state of a metafield after an attempt to write or delete it. */
export interface MetafieldResult {
  readonly shopifyId: string;
  /** Shopify's digest of the value; `null`: there is no value. */
  readonly digest: string | null;
  readonly failure?: ShopifyProblemCode;
  readonly detail?: string;
}

interface Shop {
  readonly client: AdminClient;
  readonly signal: AbortSignal;
}

/** Calls for one batch at most: each that fails removes at least one metafield from the batch, or refreshes its digest. */
const MAX_CALLS = 30;

/**
 * Sets metafields, each only if it still holds what we wrote last, so that a job that lost its lease overwrites nothing newer.
 * A call sets all metafields or none: one that the shop rejects is reported, and the others are set without it.
 *
 * @param known - digests of what we wrote last, by product
 */
export async function setMetafields(
  shop: Shop,
  certificates: readonly Certificate[],
  known: ReadonlyMap<string, string | null>,
): Promise<MetafieldResult[]> {
  const results: MetafieldResult[] = [];
  const digests = new Map(known);
  let left = [...certificates];
  for (let call = 1; left.length > 0; call += 1) {
    if (call > MAX_CALLS)
      throw new ShopifyProblem('shopify_request_refused', 'Metafields change while they are set.');
    const { metafieldsSet } = await shop.client.query<SetMetafieldsAnswer>(
      SET_METAFIELDS,
      {
        metafields: left.map((certificate) =>
          inputOf(certificate, digests.get(certificate.shopifyId) ?? null),
        ),
      },
      shop.signal,
    );
    const { metafields, userErrors } = metafieldsSet;
    if (userErrors.length === 0 && metafields !== null) {
      for (const { compareDigest, owner } of metafields)
        results.push({ shopifyId: owner.legacyResourceId, digest: compareDigest });
      return results;
    }
    const final = await resolveErrors(shop, left, metafieldsSet.userErrors, digests);
    results.push(...final);
    const done = new Set(final.map(({ shopifyId }) => shopifyId));
    left = left.filter(({ shopifyId }) => !done.has(shopifyId));
  }
  return results;
}

export function inputOf({ shopifyId, value }: Certificate, compareDigest: string | null): MetafieldsSetInput {
  return { ownerId: gidOf(shopifyId), namespace: NAMESPACE, key: KEY, type: 'json', value, compareDigest };
}

/** @returns results that another call would not change; stale digests are read again for the next call */
async function resolveErrors(
  { client, signal }: Shop,
  certificates: readonly Certificate[],
  userErrors: SetMetafieldsAnswer['metafieldsSet']['userErrors'],
  digests: Map<string, string | null>,
): Promise<MetafieldResult[]> {
  const named = userErrors.flatMap((error) => {
    const certificate = error.elementIndex === null ? undefined : certificates[error.elementIndex];
    return certificate === undefined ? [] : [{ ...error, certificate }];
  });
  if (named.length === 0) throw new ShopifyProblem('shopify_request_refused', messagesOf(userErrors));
  const states = await readMetafields(
    client,
    named.map(({ certificate }) => certificate.shopifyId),
    signal,
  );
  const stateOf = new Map(states.map((state) => [state.shopifyId, state]));
  return named.flatMap(({ certificate, code, message }): MetafieldResult[] => {
    const { shopifyId } = certificate;
    const state = stateOf.get(shopifyId);
    if (state === undefined) return [{ shopifyId, digest: null, failure: 'shopify_product_gone' }];
    const digest = state.metafield?.compareDigest ?? null;
    if (code !== 'STALE_OBJECT')
      return [
        { shopifyId, digest, failure: 'shopify_request_refused', detail: message.slice(0, MAX_SHOP_TEXT) },
      ];
    if (state.metafield !== null && isNewer(state.metafield.value, certificate))
      return [{ shopifyId, digest }];
    digests.set(shopifyId, digest);
    return [];
  });
}

/** Whether the metafield holds a certificate that was issued after this one. */
function isNewer(value: string, { issuedAt }: Certificate): boolean {
  try {
    const held = JSON.parse(value) as { 'svc:record'?: { issuedAt?: unknown } };
    const since = held['svc:record']?.issuedAt;
    return typeof since === 'string' && Date.parse(since) > Date.parse(issuedAt);
  } catch {
    return false;
  }
}
