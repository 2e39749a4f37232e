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

/** The row of a text, which cannot be moved to another one, nor shown to another merchant. */
export interface SealedRow {
  readonly id: string;
  readonly merchantId: string;
}

export function sealText(seal: Pick<Seal, 'seal'>, table: SealedTable, row: SealedRow, text: string): Buffer {
  return seal.seal(nameOf(table, row), Buffer.from(text));
}

/** @throws if the text is not of this row, or not of this merchant */
export function openText(
  seal: Pick<Seal, 'open'>,
  table: SealedTable,
  row: SealedRow,
  sealed: Buffer,
): string {
  return seal.open(nameOf(table, row), sealed).toString();
}

const nameOf = (table: SealedTable, { id, merchantId }: SealedRow) =>
  `${table} ${SEALED_TEXTS[table].column} ${id} of ${merchantId}`;
