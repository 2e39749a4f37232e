import { hostOf, type ImageOwner, imageFileOf, otherStoreOf } from '@touchstone/certificate/binding';
import { compareImages, type Hashes, type Likeness, uhash } from '@touchstone/image';
import { ImageFault, type ImageWorkers } from '@touchstone/image/node';
import { type PageCode, pageNote, printable } from '@touchstone/page';
import type { Allowance, BytesFetcher, TakePermit } from '@touchstone/page/fetch';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import { type BudgetStorage, spendFetch } from '../platform/limits/fetch-budgets.ts';
import { createFetchPermits, type FetchPermits } from './fetch-permits.ts';
import type { ObserveSettings } from './observe-settings.ts';
import { unlessAborted } from './unless-aborted.ts';

/** The images of a page, to be compared with those certified for a product. */
export interface MatchRequest {
  /** The product that the page's certificate names; absent: none in the registry. */
  readonly productId: string | undefined;
  /** Absolute addresses as stated by the page; untrusted. */
  readonly live: readonly string[];
  /** Whose budget the fetches are spent from. */
  readonly caller: string;
  readonly signal: AbortSignal;
}

/**
 * Reports which images of a page are certified, as findings (`code: sentence`). It does not throw for errors with an image, nor
 * affect the verdict on the page.
 */
export type MatchImages = (request: MatchRequest) => Promise<string[]>;

export interface MatchOptions extends BudgetStorage {
  readonly fetcher: BytesFetcher;
  readonly workers: Pick<ImageWorkers, 'inspect'>;
  readonly settings: ObserveSettings;
}

/** Images of a page that are compared. */
const MAX_LIVE = 12;
/** Bytes of all of them, including failed fetches. */
const MAX_BYTES = 40_000_000;
/** Milliseconds for all of them. */
const MAX_TIME = 15_000;
const CONCURRENCY = 3;

export function createMatchImages(matchOptions: MatchOptions): MatchImages {
  // an image may be four times as large as a page, and stays in memory until it has been inspected
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
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    signal.throwIfAborted();
    return urls.length > MAX_LIVE ? [...findings, finding('images_capped')] : findings;
  };
}

/** The images of a product in the registry. */
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

/** The images of an active product; `null` if there are none or the product is not active. */
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

/** The closest likeness first. */
const COPIES: readonly (readonly [Likeness, PageCode])[] = [
  ['same_picture', 'image_copy'],
  ['similar', 'image_similar'],
];

async function codeFor(url: string, comparison: Comparison): Promise<PageCode> {
  const { budget, options, caller } = comparison;
  try {
    if (budget.allowance.left <= 0) return 'image_unread';
    const work = options.permits.run(caller, (takePermit) => fetchAndCompare(url, takePermit, comparison));
    // inspection may queue behind scans
    return await unlessAborted(work, budget.signal);
  } catch (error) {
    // spent budgets, no permit, images that cannot be opened, and the time limit
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
  await spendFetch(options, { caller, host: hostOf(url) ?? '' }, options.settings);
  const fetched = await options.fetcher.fetch(url, { ...budget, takePermit });
  if (fetched.kind !== 'bytes') return 'image_unread';
  return codeOfBytes(fetched.body, known, options);
}

/** The code of the closest certified image. Bytes are compared first, which needs no decoding. */
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

const finding = (code: PageCode, url = '') => pageNote(code, printable(url));
