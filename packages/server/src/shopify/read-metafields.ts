import type { AdminClient } from './admin-client.ts';
import { gidOf, METAFIELDS, type MetafieldsAnswer } from './queries.ts';

export interface MetafieldState {
  readonly shopifyId: string;
  /** `null`: there is none. */
  readonly metafield: { readonly compareDigest: string; readonly value: string } | null;
}

/** What the metafields of these products hold; products that are not at the shop are left out. */
export async function readMetafields(
  client: AdminClient,
  shopifyIds: readonly string[],
  signal: AbortSignal,
): Promise<MetafieldState[]> {
  const { nodes } = await client.query<MetafieldsAnswer>(METAFIELDS, { ids: shopifyIds.map(gidOf) }, signal);
  return nodes.flatMap((node) =>
    node === null ? [] : [{ shopifyId: node.legacyResourceId, metafield: node.metafield }],
  );
}
