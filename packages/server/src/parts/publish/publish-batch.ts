import { createHash } from 'node:crypto';
import type { ProductCertificate } from '@touchstone/contract';
import { CERTIFICATE_CACHE_CONTROL } from '@touchstone/contract';
import { sql } from 'kysely';
import type { FindPageProducts } from '../../core/certificates/find-certificate.ts';
import type { GetCertificate } from '../../core/certificates/get-product-certificate.ts';
import type { Change } from '../../platform/cache/changes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { mapConcurrently } from '../../platform/map-concurrently.ts';
import { type CopyPath, certificateCopyPath, pageCopyPath, pageDigest, storedKeyOf } from './copy-paths.ts';
import type { Copy, Destination } from './destination.ts';

/** What is copied. */
export interface CopySources {
  readonly getCertificate: GetCertificate;
  readonly findPageProducts: FindPageProducts;
  /** Has this node forget what it remembers of it. */
  readonly forget: (change: Change) => void;
  readonly onCopy: (what: 'written' | 'removed') => void;
}

export interface BatchOptions extends CopySources {
  readonly db: Database;
  readonly clock: Clock;
  readonly destination: Destination;
  readonly signal: AbortSignal;
}

/** A product that has to be looked at, as it was taken. */
export interface DueCopy {
  readonly product_id: string;
  readonly orders: number;
  readonly etag: string | null;
  readonly page: string | null;
  readonly page_etag: string | null;
  /** It precedes what was merely issued. */
  readonly is_first: boolean;
}

/** Products of a batch. */
const BATCH = 200;
/** Copies written at a time by one job. */
const CONCURRENT = 16;
/** Certificates in the list of a page: their addresses differ only in parameters that are ignored, as those of variants do. */
const LISTED = 100;
/** Seconds before a certificate that could not be read is tried again. */
const RETRY = 30;
const DAY = 86_400_000;
/** Milliseconds for which a proof is served (docs/format.md); a minute later there is another. */
const SERVED_FOR = 5 * DAY + 60_000;

/** What changed first is looked at first. Nothing is marked: one job has a merchant at a time, and what it began is still due. */
export async function takeDue(db: Database, merchantId: string): Promise<DueCopy[]> {
  const { rows } = await sql<DueCopy>`
    select product_id, orders, etag, page, page_etag, due_at <= to_timestamp(1) as is_first from published_certificates
    where merchant_id = ${merchantId} and due_at <= now() order by due_at limit ${BATCH}`.execute(db);
  return rows;
}

interface Result {
  readonly due: DueCopy;
  /** `null`: the service answers 404. */
  readonly etag: string | null;
  /** Where the product may be listed. */
  readonly page: string | null;
  /** Seconds until it is looked at again; `null`: when it changes. */
  readonly again: number | null;
  readonly failure?: string;
}

/**
 * Writes the copies of these products: first of the certificates by id, then of the lists of their pages.
 *
 * @throws Error if the place cannot be written; all is done again then
 */
export async function publishBatch(
  options: BatchOptions,
  merchantId: string,
  due: readonly DueCopy[],
): Promise<void> {
  // what it remembers may be a second old, and so from before the change that made it due
  for (const { product_id } of due) options.forget(`p:${product_id}`);
  const results = await mapConcurrently(
    due,
    () => CONCURRENT,
    (row) => publishCertificate(options, row),
  );
  // before they are written, so that a list which nobody knows of any more is not left behind by a crash
  await recordPages(options.db, merchantId, results);
  const read = results.filter(({ failure }) => failure === undefined);
  const pages = new Set(read.flatMap((result) => [result.due.page ?? [], result.page ?? []].flat()));
  /** Of a list on which all of its products agree. */
  const knownOf = (page: string) => {
    const etags = read
      .filter((result) => result.due.page === page || result.page === page)
      .map((result) => (result.due.page === page ? result.due.page_etag : null));
    return new Set(etags).size === 1 ? (etags[0] ?? null) : null;
  };
  const lists = new Map<string, string | null>();
  await mapConcurrently(
    [...pages],
    () => CONCURRENT,
    async (page) => {
      options.signal.throwIfAborted();
      const list = () => pageList(options, page);
      lists.set(page, await settle(options, pageCopyPath(page), list, knownOf(page)));
    },
  );
  await recordResults(options.db, merchantId, results, lists);
}

async function publishCertificate(options: BatchOptions, due: DueCopy): Promise<Result> {
  options.signal.throwIfAborted();
  let body: ProductCertificate | null = null;
  const read = async (): Promise<Copy | null> => {
    const document = await certificateOf(options, due.product_id);
    body = document === null ? null : (JSON.parse(document.body.toString()) as ProductCertificate);
    return document === null
      ? null
      : { bytes: document.body.bytes, etag: document.etag, headers: document.headers };
  };
  try {
    const etag = await settle(options, certificateCopyPath(due.product_id), read, due.etag);
    const certificate = body as ProductCertificate | null;
    if (certificate === null || !('proof' in certificate)) return { due, etag, page: null, again: null };
    const servedUntil = Date.parse(certificate['svc:record'].issuedAt) + SERVED_FOR;
    const again = Math.max(60, (servedUntil - options.clock().getTime()) / 1_000);
    return { due, etag, page: pageDigest(certificate.url), again };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // what is published stays: it was true, and ends by itself
    return { due, etag: due.etag, page: due.page, again: RETRY, failure: error.code };
  }
}

/** `null`: the service answers 404. */
async function certificateOf({ getCertificate }: CopySources, productId: string) {
  try {
    return await getCertificate(productId);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'product_unknown') return null;
    throw error;
  }
}

/** The certificates that a lookup by address may find for this page. */
async function pageList(options: CopySources, digest: string): Promise<Copy | null> {
  const ids = (await options.findPageProducts(storedKeyOf(digest))).slice(0, LISTED);
  const documents = await mapConcurrently(
    ids,
    () => CONCURRENT,
    (id) => certificateOf(options, id),
  );
  const bodies = documents.map((document) => document?.body.toString() ?? '');
  const certified = bodies.filter((text) => text !== '' && 'proof' in JSON.parse(text));
  if (certified.length === 0) return null;
  const bytes = Buffer.from(`[${certified.join(',')}]`);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  const surrogates = ids.map((id) => `product-${id}`).join(' ');
  return {
    bytes,
    etag,
    headers: {
      'content-type': 'application/json',
      'cache-control': CERTIFICATE_CACHE_CONTROL,
      'surrogate-key': surrogates,
    },
  };
}

/**
 * Writes a copy unless it is there, and reads its source again, until what was written is what the service answers. So whoever writes
 * last leaves the present state, even a process that was stopped for a while and holds the job no longer.
 *
 * @param known - ETag of the copy that is there; `null`: there may be any, or none
 * @returns the ETag of the copy; `null`: it was removed
 */
async function settle(
  { destination, onCopy, signal }: BatchOptions,
  path: CopyPath,
  read: () => Promise<Copy | null>,
  known: string | null,
): Promise<string | null> {
  let there: string | null | undefined = known ?? undefined;
  for (;;) {
    const copy = await read();
    if ((copy?.etag ?? null) === there) return there;
    signal.throwIfAborted();
    if (copy === null) await destination.remove(path);
    else await destination.put(path, copy);
    onCopy(copy === null ? 'removed' : 'written');
    there = copy?.etag ?? null;
  }
}

async function recordPages(db: Database, merchantId: string, results: readonly Result[]): Promise<void> {
  const added = results.filter(({ due, page }) => due.page === null && page !== null);
  if (added.length === 0) return;
  await sql`
    update published_certificates c set page = n.page
    from unnest(${added.map(({ due }) => due.product_id)}::uuid[], ${added.map(({ page }) => page)}::text[]) as n (id, page)
    where c.merchant_id = ${merchantId} and c.product_id = n.id`.execute(db);
}

async function recordResults(
  db: Database,
  merchantId: string,
  results: readonly Result[],
  lists: ReadonlyMap<string, string | null>,
): Promise<void> {
  const gone = results.filter(({ etag, failure }) => etag === null && failure === undefined);
  const left = results.filter((result) => !gone.includes(result));
  await sql`
    delete from published_certificates c
    using unnest(${gone.map(({ due }) => due.product_id)}::uuid[], ${gone.map(({ due }) => due.orders)}::integer[]) as n (id, orders)
    where c.merchant_id = ${merchantId} and c.product_id = n.id and c.orders = n.orders`.execute(db);
  await sql`
    update published_certificates c set etag = n.etag, page = n.page, page_etag = n.page_etag, failure = n.failure,
      due_at = case when c.orders = n.orders then n.again_at else c.due_at end
    from (select *, now() + make_interval(secs => again) as again_at from unnest(${left.map(({ due }) => due.product_id)}::uuid[], ${left.map(({ due }) => due.orders)}::integer[],
        ${left.map(({ etag }) => etag)}::text[], ${left.map(({ page }) => page)}::text[],
        ${left.map(({ due, page, failure }) => (failure === undefined ? (lists.get(page ?? '') ?? null) : due.page_etag))}::text[],
        ${left.map(({ failure = null }) => failure)}::text[], ${left.map(({ again }) => again)}::float8[])
      as read (id, orders, etag, page, page_etag, failure, again)) n
    where c.merchant_id = ${merchantId} and c.product_id = n.id`.execute(db);
}
