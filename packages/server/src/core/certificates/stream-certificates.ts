import type { ProductSnapshot } from '@touchstone/certificate';
import { type Addresses, productCertificate } from '@touchstone/certificate/issue';
import type { CertificateLine, Price } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { findStore, type StoreKey } from '../registry/find-store.ts';
import { productState, type StateFacts } from '../registry/product-state.ts';
import { startBackgroundIssuing } from './background-issuing.ts';
import type { IssueBatch } from './issue-batch.ts';
import { signedBy } from './signed-document.ts';

export interface StreamOptions {
  readonly db: Database;
  readonly addresses: Addresses;
  readonly issueBatch: IssueBatch;
}

/** A line of the stream of a store: as its readers get it, and of a current one what it is made from. */
export type StreamEntry =
  | {
      readonly status: 'current';
      readonly line: object;
      readonly cursor: string;
      readonly snapshot: ProductSnapshot;
      readonly certificate: object;
      /** As the registry has them now, signed or not. */
      readonly price: Price | null;
      readonly availability: string | null;
    }
  | {
      readonly status: 'withdrawn';
      readonly line: Extract<CertificateLine, { status: 'withdrawn' }>;
      readonly cursor: string;
    }
  | { readonly status: 'end'; readonly line: Extract<CertificateLine, { status: 'end' }> }
  | { readonly status: 'aborted'; readonly line: object; readonly error: ServiceError };

/** The entries of the stream of a store, some at a time. */
export type StreamEntries = (
  scope: Scope,
  storeId: string,
  since: string | undefined,
) => Promise<AsyncGenerator<readonly StreamEntry[], void, undefined>>;

/** The lines of a store's certificates as NDJSON, in chunks of whole lines. */
export type StreamCertificates = (
  scope: Scope,
  storeId: string,
  since: string | undefined,
) => Promise<AsyncGenerator<readonly string[], void, undefined>>;

/** Lines read at a time; a consumer that stops reading holds this many in memory. */
const PAGE = 128;
/** Lines per chunk, about 64 KB: each chunk costs its reader a few promises and a write. */
const PIECE = 16;

/**
 * Every certificate of a store in the order in which it was recorded, or those since a cursor. Certificates that are due are issued in
 * the same batches as by the jobs, and sent as they come.
 *
 * @throws ServiceError `store_unknown`; `bad_request` for a cursor that does not belong to this store
 */
export function createStreamEntries(options: StreamOptions): StreamEntries {
  return async (scope, storeId, since) => {
    const store = await findStore(options.db, scope, storeId);
    const from = since === undefined ? '0' : await readCursor(options.db, store, since);
    return entriesOf(options, { store, from, withdrawnToo: since !== undefined });
  };
}

/** The same as text. */
export function createStreamCertificates(stream: StreamEntries): StreamCertificates {
  return async (...asked) => linesOf(await stream(...asked));
}

async function* linesOf(
  entries: AsyncIterable<readonly StreamEntry[]>,
): AsyncGenerator<readonly string[], void, undefined> {
  for await (const some of entries) yield some.map(({ line }) => `${JSON.stringify(line)}\n`);
}

interface Wanted {
  readonly store: StoreKey;
  readonly from: string;
  /** A consumer that requests everything has nothing to remove. */
  readonly withdrawnToo: boolean;
}

async function* entriesOf(
  options: StreamOptions,
  wanted: Wanted,
): AsyncGenerator<readonly StreamEntry[], void, undefined> {
  const { db, addresses, issueBatch } = options;
  const { store } = wanted;
  const issuing = startBackgroundIssuing(db, store, issueBatch);
  let position = wanted.from;
  const counts = { certificates: 0, withdrawn: 0 };
  const cursor = () => makeCursor(store.id, position);
  try {
    for (;;) {
      // checked before the page is read, so that the page contains everything issued by then
      const isMade = issuing.isDone();
      const rows = await readPage(db, { ...wanted, from: position });
      for (let at = 0; at < rows.length; at += PIECE) {
        const entries: StreamEntry[] = [];
        for (const row of rows.slice(at, at + PIECE)) {
          position = row.position;
          const entry = entryOf(row, cursor(), addresses);
          if (entry === null) continue;
          counts[row.jwt === null ? 'withdrawn' : 'certificates'] += 1;
          entries.push(entry);
        }
        if (entries.length > 0) yield entries;
      }
      if (rows.length === PAGE) continue;
      if (isMade) break;
      await issuing.untilProgress();
    }
    const line = {
      status: 'end',
      cursor: cursor(),
      ...counts,
      failed: await failedIn(db, store),
    } as const;
    yield [{ status: 'end', line }];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const line = { status: 'aborted', code: error.code, detail: error.publicMessage, cursor: cursor() };
    yield [{ status: 'aborted', line, error }];
  } finally {
    await issuing.stop();
  }
}

interface Row extends Omit<StateFacts, 'paused'> {
  product_id: string;
  external_product_id: string;
  url: string;
  price: Price | null;
  availability: string | null;
  paused: boolean;
  position: string;
  is_withdrawn: boolean;
  jwt: string | null;
  log_proof: string | null;
  kid: string;
  snapshot: ProductSnapshot;
  issued_at: Date;
  expires_at: Date;
}

async function readPage(db: Database, { store, from, withdrawnToo }: Wanted): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select l.product_id, l.position, l.proof_id is null as is_withdrawn, p.external_product_id, p.url, p.price, p.availability,
      p.visible, p.disabled, p.deleted_at, p.slot_order, m.paused,
      -- only of one that was withdrawn the state is told
      l.proof_id is null and p.host_known and exists (select from domains d
        where d.merchant_id = ${store.merchantId} and d.store_id = p.store_id and d.hostname = p.host and d.lost_at is null) as host_known,
      proof.header || '.' || proof.payload || '.' || proof.signature as jwt, proof.log_proof, proof.kid, proof.snapshot, proof.issued_at,
      proof.expires_at
    from (select * from certificate_lines
      where merchant_id = ${store.merchantId} and store_id = ${store.id} and position > ${from} ${
        withdrawnToo ? sql`` : sql`and proof_id is not null`
      } order by position limit ${PAGE}) l
    join products p on p.merchant_id = ${store.merchantId} and p.id = l.product_id
    join merchants m on m.id = ${store.merchantId}
    left join proofs proof on proof.merchant_id = ${store.merchantId} and proof.id = l.proof_id
    order by l.position`.execute(db);
  return rows;
}

/** `null` for a certificate that was deleted in the meantime and will be issued again. */
function entryOf(row: Row, cursor: string, addresses: Addresses): StreamEntry | null {
  const identity = {
    productId: row.product_id,
    externalProductId: row.external_product_id,
    url: row.url,
  };
  if (row.is_withdrawn) {
    const state = productState(row);
    // active again: its certificate follows
    if (state === 'active') return null;
    const line = { status: 'withdrawn', ...identity, state, cursor } as const;
    return { status: 'withdrawn', line, cursor };
  }
  if (row.jwt === null) return null;
  const { jwt, kid, snapshot } = row;
  const proof = signedBy({
    jwt,
    kid,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    ...(row.log_proof === null ? {} : { logProof: row.log_proof }),
  });
  const certificate = productCertificate(snapshot, proof, addresses);
  const line = {
    status: 'current',
    ...identity,
    issuedAt: proof.issuedAt,
    replaceBy: proof.expiresAt,
    cursor,
    certificate,
  };
  const { price, availability } = row;
  return { status: 'current', line, cursor, snapshot, certificate, price, availability };
}

async function failedIn(db: Database, { id, merchantId }: StoreKey): Promise<number> {
  const { count } = await db
    .selectFrom('certificate_due')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', id)
    .where('failure', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

export const makeCursor = (storeId: string, position: string): string =>
  Buffer.from(`v1:${storeId}:${position}`).toString('base64url');

async function readCursor(db: Database, { id, merchantId }: StoreKey, cursor: string): Promise<string> {
  const [, of, position] =
    /^v1:([0-9a-f-]{36}):(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (of !== id || position === undefined)
    throw new ServiceError('bad_request', {
      message: 'The cursor is not from an earlier line of this store.',
    });
  const told = await db
    .selectFrom('certificate_stores')
    .select('position')
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', id)
    .executeTakeFirst();
  if (told === undefined || BigInt(position) > BigInt(told.position))
    throw new ServiceError('bad_request', {
      message:
        'The cursor is of a later time than this database, which was restored from a backup: begin anew, without `since`.',
    });
  return position;
}
