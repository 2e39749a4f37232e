import type { AdminClient } from './admin-client.ts';
import { gidOf, METAFIELDS, type MetafieldsAnswer } from './queries.ts';

export interface MetafieldState {
  readonly shopifyId: string;
  /** `null`: there is none. */
  readonly metafield: { readonly compareDigest: string; readonly value: string } | null;
}

/** The metafields of these products; products that the shop does not have are left out. */
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
