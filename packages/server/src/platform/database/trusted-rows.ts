import type { Selectable } from 'kysely';
import { type ColumnValue, isSameMac, macOfRow } from '../crypto/row-mac.ts';
import type { Tables } from './tables.ts';

/** How the columns of a table whose rows grant trust are covered by the MAC of each row. */
interface TrustedTable<Column extends string> {
  /** The primary key. */
  readonly key: Column;
  /** Identifies a row in messages. */
  readonly id: Column;
  readonly covered: readonly Column[];
  /** All others, with the reason why trust does not depend on them. */
  readonly uncovered: Readonly<Record<string, string>>;
}

const table = <Column extends string>(described: TrustedTable<Column>) => described;

/**
 * The tables whose rows grant trust. Their rows are written with a MAC by TypeScript only, and not used without a valid one.
 * A new column must be listed, or a test fails.
 */
export const TRUSTED_TABLES = {
  signing_keys: table({
    key: 'kid',
    id: 'kid',
    covered: ['kid', 'purpose', 'public_jwk', 'published_at', 'active_from', 'retired_at', 'revoked_at'],
    uncovered: {
      private_key: 'encrypted and authenticated under the kid by the master key',
      created_at: 'only orders keys',
      last_used_at: 'only extends the time for which a retired, genuine key is shown',
    },
  }),
  hostname_owners: table({
    key: 'hostname',
    id: 'hostname',
    covered: ['hostname', 'merchant_id', 'method', 'proven_at', 'confirmed_at', 'missed_since'],
    uncovered: {
      check_at: 'only schedules the next check; one that is further away than any of ours is due now',
    },
  }),
  api_keys: table({
    key: 'id',
    id: 'id',
    covered: ['id', 'merchant_id', 'role', 'key_hash', 'revoked_at'],
    uncovered: {
      label: 'a name; the key of the settings is replaced by its hash',
      created_at: 'only shown',
      last_used_on: 'only shown',
    },
  }),
  console_sessions: table({
    key: 'token_hash',
    id: 'key_id',
    covered: ['token_hash', 'key_id', 'begun_at', 'seen_at'],
    uncovered: {},
  }),
} as const;

export type TrustedTableName = keyof typeof TRUSTED_TABLES;

/** The covered columns of a row. */
export type Covered<Name extends TrustedTableName> = Pick<
  Selectable<Tables[Name]>,
  (typeof TRUSTED_TABLES)[Name]['covered'][number] & keyof Selectable<Tables[Name]>
>;

/** A row as read: with its MAC. */
export type Authenticated<Name extends TrustedTableName> = Covered<Name> & { readonly mac: Buffer | null };

/** A row that is not used, because it was not written by the service. */
export interface RefusedRow {
  readonly table: TrustedTableName;
  readonly id: string;
  /** `missing`: it never had a MAC. */
  readonly mac: 'missing' | 'invalid';
}

export type OnRefusedRow = (row: RefusedRow) => void;

export interface TrustedRows {
  /** The MAC to write with a row; to be made again whenever a covered column changes. */
  macOf<Name extends TrustedTableName>(name: Name, row: Covered<Name>): Buffer;
  /** Whether a row may be used: the service itself has written all covered columns. Otherwise it is reported. */
  accepts<Name extends TrustedTableName>(name: Name, row: Authenticated<Name>): boolean;
}

export function createTrustedRows(key: Uint8Array, onRefused: OnRefusedRow): TrustedRows {
  const macOf: TrustedRows['macOf'] = (name, row) => {
    const { covered } = TRUSTED_TABLES[name];
    const values = row as Readonly<Record<string, ColumnValue>>;
    return macOfRow(
      key,
      name,
      covered.map((column) => [column, values[column] ?? null]),
    );
  };
  return {
    macOf,
    accepts(name, row) {
      if (row.mac !== null && isSameMac(row.mac, macOf(name, row))) return true;
      const id = String((row as Readonly<Record<string, unknown>>)[TRUSTED_TABLES[name].id]);
      onRefused({ table: name, id, mac: row.mac === null ? 'missing' : 'invalid' });
      return false;
    },
  };
}
