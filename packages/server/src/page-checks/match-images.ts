import { hostOf, type ImageOwner, imageFileOf, otherStoreOf } from '@touchstone/certificate/binding';
import { compareImages, type Hashes, type Likeness, uhash } from '@touchstone/image';
import { ImageFault, type ImageWorkers } from '@touchstone/image/node';
import { type PageCode, pageNote, printable } from '@touchstone/page';
import type { Allowance, BytesFetcher, TakePermit } from '@touchstone/page/fetch';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import { spendFetch } from './fetch-budgets.ts';
import { createFetchPermits, type FetchPermits } from './fetch-permits.ts';
import type { ObserveSettings } from './observe-settings.ts';

/** What is compared: the images of a page with those certified for a product. */
export interface MatchRequest {
  /** The product that the page's certificate names; absent: none that the registry knows. */
  readonly productId: string | undefined;
  /** Absolute addresses, as the page names them; hostile. */
  readonly live: readonly string[];
  /** Whose budget the fetches are spent from. */
  readonly caller: string;
  readonly signal: AbortSignal;
}

/**
 * Says which images of a page are certified ones, as findings (`code: sentence`). Never throws for what is wrong with an
 * image, and says nothing of the page's verdict.
 */
export type MatchImages = (request: MatchRequest) => Promise<string[]>;

export interface MatchOptions {
  readonly db: Database;
  readonly fetcher: BytesFetcher;
  readonly workers: Pick<ImageWorkers, 'inspect'>;
  readonly settings: ObserveSettings;
}

/** Images of a page that are compared. */
const MAX_LIVE = 12;
/** Bytes of all of them, those that came to nothing too. */
const MAX_BYTES = 40_000_000;
/** Milliseconds for all of them. */
const MAX_TIME = 15_000;
const AT_ONCE = 3;

export function createMatchImages(matchOptions: MatchOptions): MatchImages {
  // an image may be four times as large as a page, and stays in memory until it has been opened
  const permits = createFetchPermits(matchOptions.settings.concurrentFetches / 2);
  const options = { ...matchOptions, permits };
  return async ({ productId, live, caller, signal }) => {
    const known = productId === undefined ? null : await knownImages(options.db, productId);
    if (known === null) return [finding('images_not_compared')];
    const urls = [...new Set(live)];
    const budget = {
      allowance: { left: MAX_BYTES },
      signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_TIME)]),
    };
    const waiting = urls.slice(0, MAX_LIVE).entries();
    const findings: string[] = [];
    const work = async () => {
      for (const [index, url] of waiting) {
        findings[index] = finding(await codeFor(url, { known, caller, budget, options }), url);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    signal.throwIfAborted();
    return urls.length > MAX_LIVE ? [...findings, finding('images_capped')] : findings;
  };
}

/** What the registry knows of a product's images. */
interface KnownImages {
  readonly owner: ImageOwner;
  readonly certified: readonly CertifiedImage[];
  /** SHA-256 of images that were signed for another store. */
  readonly issuedToOthers: ReadonlySet<string>;
}

interface CertifiedImage extends Hashes {
  readonly sourceUhash: string;
}

interface Row {
  blob_uhash: string | null;
  source_uhash: string;
  phash: string | null;
  frame_code: string | null;
  appearance: string | null;
  hosts: (string | null)[];
}

/** Of an active product; one that publishes no trust data has none to compare with, nor has one without any (`null`). */
async function knownImages(db: Database, productId: string): Promise<KnownImages | null> {
  const { rows } = await sql<Row>`
    select left(i.blob_key, 64) as blob_uhash, i.source_uhash, i.credentials->'hashes'->>'phash' as phash,
      i.frame_code, i.appearance,
      array(select hostname from domains where store_id = p.store_id and lost_at is null) || p.host as hosts
    from images i
    join products p on p.id = i.product_id
    join merchants m on m.id = p.merchant_id
    join stores s on s.id = p.store_id and s.deleted_at is null
    where p.id = ${productId} and i.removed_at is null
      and (i.blob_key is not null or i.credentials->>'finding' = 'image_issued_to_another_store')
      and p.slot_order is not null and p.deleted_at is null and not m.paused`.execute(db);
  if (rows.length === 0) return null;
  const certified = rows.flatMap(
    ({ blob_uhash: blobUhash, source_uhash: sourceUhash, phash, frame_code: frameCode, appearance }) =>
      blobUhash === null
        ? []
        : [
            {
              uhash: blobUhash,
              sourceUhash,
              ...(phash && { phash }),
              ...(frameCode && { frameCode }),
              ...(appearance && { appearance }),
            },
          ],
  );
  const others = rows.filter((row) => row.blob_uhash === null).map((row) => row.source_uhash);
  const hosts = (rows[0]?.hosts ?? []).filter((host) => host !== null);
  return { owner: { productId, hosts }, certified, issuedToOthers: new Set(others) };
}

interface Comparison {
  readonly known: KnownImages;
  readonly caller: string;
  readonly budget: { readonly allowance: Allowance; readonly signal: AbortSignal };
  readonly options: MatchOptions & { readonly permits: FetchPermits };
}

/** The closest first. */
const COPIES: readonly (readonly [Likeness, PageCode])[] = [
  ['same_picture', 'image_copy'],
  ['similar', 'image_similar'],
];

async function codeFor(url: string, comparison: Comparison): Promise<PageCode> {
  const { budget, options, caller } = comparison;
  try {
    if (budget.allowance.left <= 0) return 'image_unread';
    const work = options.permits.run(caller, (takePermit) => fetchAndCompare(url, takePermit, comparison));
    // opening waits behind the images of the pipeline
    return await before(budget.signal, work);
  } catch (error) {
    // spent budgets, no permit, images that cannot be opened, and time that is up
    const isExpected = error instanceof ServiceError || error instanceof ImageFault || budget.signal.aborted;
    if (!isExpected) throw error;
    return 'image_unread';
  }
}

async function fetchAndCompare(
  url: string,
  takePermit: TakePermit,
  { known, caller, budget, options }: Comparison,
): Promise<PageCode> {
  await spendFetch(options.db, { caller, host: hostOf(url) ?? '' }, options.settings);
  const fetched = await options.fetcher.fetch(url, { ...budget, takePermit });
  if (fetched.kind !== 'bytes') return 'image_unread';
  return codeOfBytes(fetched.body, known, options);
}

/** The closest to any of the certified. By bytes first: that costs no decoding. */
async function codeOfBytes(
  bytes: Uint8Array,
  { owner, certified, issuedToOthers }: KnownImages,
  { workers }: Pick<MatchOptions, 'workers'>,
): Promise<PageCode> {
  const live = await uhash(bytes);
  const files = certified.map((image) => imageFileOf(live, image));
  if (files.includes('certified')) return 'image_same';
  if (files.includes('source')) return 'image_source';
  if (issuedToOthers.has(live)) return 'image_issued_to_another_store';
  const inspected = await workers.inspect(bytes);
  const { manifest } = inspected;
  if (manifest.valid && otherStoreOf(manifest.assertions, owner) !== null)
    return 'image_issued_to_another_store';
  const found = new Set(certified.map((image) => compareImages(inspected, image).likeness));
  return COPIES.find(([likeness]) => found.has(likeness))?.[1] ?? 'image_not_certified';
}

/** @throws the reason of `signal`, once that is aborted: nobody waits for the work any more */
async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const finding = (code: PageCode, url = '') => pageNote(code, printable(url));
