import type { Seal } from '../crypto/seal.ts';

/**
 * Addresses that may contain tokens, encrypted in a column of each of these tables; `key` is the primary key. A row of an earlier
 * version contains the text itself after a byte 0, until `sealRows` encrypts it.
 */
export const SEALED_TEXTS = {
  webhooks: { key: 'id', column: 'url' },
  store_sources: { key: 'store_id', column: 'url' },
  imports: { key: 'id', column: 'url' },
} as const;

export type SealedTable = keyof typeof SEALED_TEXTS;

/** @param id - of the row: the text cannot be moved to another one */
export function sealText(seal: Pick<Seal, 'seal'>, table: SealedTable, id: string, text: string): Buffer {
  return seal.seal(nameOf(table, id), Buffer.from(text));
}

export function openText(seal: Pick<Seal, 'open'>, table: SealedTable, id: string, sealed: Buffer): string {
  return seal.open(nameOf(table, id), sealed).toString();
}

const nameOf = (table: SealedTable, id: string) => `${table} ${SEALED_TEXTS[table].column} ${id}`;
