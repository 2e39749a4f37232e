import { createHmac, timingSafeEqual } from 'node:crypto';

/** A value of a column, as the database driver reads it. */
export type ColumnValue = string | number | boolean | Date | Uint8Array | object | null;

const FORMAT = 1;

/**
 * The authentication code of a row: HMAC-SHA256 over the name of its table and the named values, after a format byte. Whoever
 * can write to the database, but has no master key, cannot make one, nor move it to another row or table.
 *
 * @param values - the id of the row among them
 */
export function macOfRow(
  key: Uint8Array,
  table: string,
  values: readonly (readonly [column: string, value: ColumnValue])[],
): Buffer {
  const text = JSON.stringify([
    FORMAT,
    table,
    values.map(([column, value]) => [column, ...typedValue(value)]),
  ]);
  return Buffer.concat([Buffer.from([FORMAT]), createHmac('sha256', key).update(text).digest()]);
}

export function isSameMac(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** With its type, so that no two values have the same encoding. */
function typedValue(value: ColumnValue): readonly unknown[] {
  if (value === null) return ['null'];
  if (value instanceof Date) return ['time', value.getTime()];
  if (value instanceof Uint8Array) return ['bytes', Buffer.from(value).toString('base64')];
  if (typeof value === 'object') return ['json', sorted(value)];
  return [typeof value, value];
}

/** jsonb does not preserve the order of members. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}
