import type { ShopifyProblemCode } from '@touchstone/contract';
import type { AdminClient } from './admin-client.ts';
import { ShopifyProblem } from './problem.ts';
import {
  gidOf,
  KEY,
  type MetafieldsSetInput,
  NAMESPACE,
  SET_METAFIELDS,
  type SetMetafieldsAnswer,
} from './queries.ts';
import { readMetafields } from './read-metafields.ts';

/** A certificate that is to stand in a product's metafield. */
export interface Certificate {
  readonly shopifyId: string;
  /** RFC 3339. */
  readonly issuedAt: string;
  readonly value: string;
}

/** How a metafield is now. */
export interface Settled {
  readonly shopifyId: string;
  /** Of its value; `null`: there is none. */
  readonly digest: string | null;
  readonly failure?: ShopifyProblemCode;
  readonly detail?: string;
}

interface Shop {
  readonly client: AdminClient;
  readonly signal: AbortSignal;
}

/** Rounds in which a batch is put in order: each takes out or refreshes at least one. */
const ROUNDS = 30;

/**
 * Sets metafields, each only where it still holds what we wrote last, so that a job that lost its lease overwrites nothing
 * newer. A call is all or nothing: what the shop finds wrong with one is told, and the others are set without it.
 *
 * @param known - digests of what we wrote last, by product
 */
export async function setMetafields(
  shop: Shop,
  certificates: readonly Certificate[],
  known: ReadonlyMap<string, string | null>,
): Promise<Settled[]> {
  const settled: Settled[] = [];
  const digests = new Map(known);
  let left = [...certificates];
  for (let round = 1; left.length > 0; round += 1) {
    if (round > ROUNDS)
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
        settled.push({ shopifyId: owner.legacyResourceId, digest: compareDigest });
      return settled;
    }
    const wrong = await settleErrors(shop, left, metafieldsSet.userErrors, digests);
    settled.push(...wrong);
    const out = new Set(wrong.map(({ shopifyId }) => shopifyId));
    left = left.filter(({ shopifyId }) => !out.has(shopifyId));
  }
  return settled;
}

export function inputOf({ shopifyId, value }: Certificate, compareDigest: string | null): MetafieldsSetInput {
  return { ownerId: gidOf(shopifyId), namespace: NAMESPACE, key: KEY, type: 'json', value, compareDigest };
}

/** What is wrong with each; digests that are stale are read anew, for the next round. */
async function settleErrors(
  { client, signal }: Shop,
  certificates: readonly Certificate[],
  userErrors: SetMetafieldsAnswer['metafieldsSet']['userErrors'],
  digests: Map<string, string | null>,
): Promise<Settled[]> {
  const named = userErrors.flatMap((error) => {
    const certificate = error.elementIndex === null ? undefined : certificates[error.elementIndex];
    return certificate === undefined ? [] : [{ ...error, certificate }];
  });
  if (named.length === 0) {
    const said = userErrors
      .map(({ message }) => message)
      .join(' ')
      .slice(0, 300);
    throw new ShopifyProblem('shopify_request_refused', said);
  }
  const states = await readMetafields(
    client,
    named.map(({ certificate }) => certificate.shopifyId),
    signal,
  );
  const stateOf = new Map(states.map((state) => [state.shopifyId, state]));
  return named.flatMap(({ certificate, code, message }): Settled[] => {
    const { shopifyId } = certificate;
    const state = stateOf.get(shopifyId);
    if (state === undefined) return [{ shopifyId, digest: null, failure: 'shopify_product_gone' }];
    const digest = state.metafield?.compareDigest ?? null;
    if (code !== 'STALE_OBJECT')
      return [{ shopifyId, digest, failure: 'shopify_request_refused', detail: message.slice(0, 300) }];
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
