import { setImmediate } from 'node:timers/promises';
import { hostOf } from '@touchstone/certificate/binding';
import type { RelatedToPage } from '@touchstone/certificate/schema';
import { RATE_WINDOW } from '@touchstone/contract';
import {
  type CheckedPage,
  judgePage,
  type Observation,
  type PageReport,
  pageNote,
  pageReport,
  type UnnamedReport,
  type VerifyOnPage,
} from '@touchstone/page';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { KeyedHash } from '../../platform/crypto/keyed-hash.ts';
import type { Database } from '../../platform/database/database.ts';
import { type RateLimitState, ServiceError } from '../../platform/errors.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import type { ProductFacts, ReadSigned, VerifyProduct } from '../verification/verify-product.ts';
import { spendFreshCheck } from './fetch-budgets.ts';
import type { KnownSites, ResembledSite } from './known-sites.ts';
import type { MatchImages } from './match-images.ts';
import type { ObserveSettings } from './observe-settings.ts';
import type { Observer } from './observer.ts';
import { createKeepPageCheck } from './page-check-store.ts';
import type { ReportCopies } from './report-copies.ts';
import type { CapturedPage } from './shared-fetch.ts';
import type { UncertifiedPage } from './uncertified-page.ts';

export interface CheckPageInput {
  /** Address of the page; text that is not a web address gets a report, too. */
  readonly url: string;
  readonly freshness: 'cached' | 'fresh';
  /**
   * For `cached`: only an observation whose fetch began at this time or later may be used (database time, microseconds since
   * 1970). Absent: any that is recent enough.
   */
  readonly since?: number | undefined;
  /** Whether to report which images of the page are certified. */
  readonly images?: 'match' | undefined;
  /** Whether to report the candidates of each fact. */
  readonly explain?: true | undefined;
  /** Whether the page is fetched for this caller alone, and returned as it came. Only with `fresh`. */
  readonly capture?: true | undefined;
  /** The key of rate limits: the API key, else the address. */
  readonly caller: string;
  /** The merchant who asks, who is told of its own hosts though it does not want to be named to others. */
  readonly viewer?: string | undefined;
  readonly signal: AbortSignal;
}

export interface PageCheckAnswer {
  readonly report: PageReport;
  /** From which the report was made. */
  readonly observation: Observation;
  /** The certificate on which the verdict rests; absent: it rests on none that was verified. */
  readonly certificate?: object;
  /** Present for `capture`, if the host answered. */
  readonly captured?: CapturedPage;
  /** Present for `fresh`. */
  readonly rateLimit?: RateLimitState;
}

/**
 * Reports what a product page states, and whether its certificate is valid now (spec, Endpoints 4).
 *
 * @throws ServiceError fresh_rate_limited, fetch_budget_spent (both with `retryAfter`), network_unavailable,
 *   keys_unavailable, database_unavailable; the reason of `signal`
 */
export type CheckPage = (input: CheckPageInput) => Promise<PageCheckAnswer>;

export interface CheckPageOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: DatabaseSecrets;
  readonly observer: Observer;
  readonly verifyProduct: VerifyProduct;
  readonly productFacts: ProductFacts;
  readonly readSigned: ReadSigned;
  /** The service's own base addresses, present and former. */
  readonly baseUrls: readonly string[];
  readonly settings: ObserveSettings;
  readonly matchImages: MatchImages;
  readonly uncertifiedPage: UncertifiedPage;
  readonly knownSites?: KnownSites | undefined;
  readonly reportCopies?: ReportCopies | undefined;
}

export function createCheckPage(options: CheckPageOptions): CheckPage {
  const { db, secrets, observer, settings, baseUrls, verifyProduct, productFacts, readSigned } = options;
  const knownProduct = async (productId: string) =>
    (await unlessUnknown(productFacts(productId))) ?? undefined;
  const judging = { baseUrls, knownProduct, readSigned };
  const keepPageCheck = createKeepPageCheck(db, secrets);
  return async ({ url, freshness, since: earliest, images, explain, capture, ...asker }) => {
    const { caller, viewer, signal } = asker;
    const fresh = freshness === 'fresh' ? await spendFreshCheck(options, caller, settings) : undefined;
    const since = fresh?.moment ?? (settings.cacheSeconds === 0 ? await databaseTime(db) : earliest);
    const request = { caller, signal, ...(since === undefined ? {} : { since }) };
    const seen = capture === true ? await observer.capture(url, request) : undefined;
    const observation = seen?.observation ?? (await observer.observe(url, request));
    const checked = await judgePage(observation, { ...judging, verifyProduct: inTurns(verifyProduct) });
    const found = await registryFindings(checked, { images, ...asker }, options);
    const resembled = await resembledBy(checked.observation, options.knownSites);
    const related = relatedTo(resembled, viewer);
    // built again with all findings, so that the report counts what it leaves out only once
    const judged =
      found.length === 0 && related.length === 0 && explain === undefined
        ? checked.report
        : pageReport(checked.observation, checked.verdict, [...related.map(relatedNote), ...found], {
            explain,
            related,
          });
    const report = named(secrets.hash, judged);
    await reportCopies(checked, resembled, options.reportCopies);
    await keepPageCheck(report, { naming: options, caller, settings });
    const { decidedBy } = checked.verdict;
    const answer = {
      report,
      observation,
      ...(decidedBy?.kind === 'checked' ? { certificate: decidedBy.node } : {}),
    };
    if (fresh === undefined) return answer;
    const { remaining, reset } = fresh;
    const rateLimit = { limit: settings.freshPerCaller, remaining, window: RATE_WINDOW, reset };
    return { ...seen, ...answer, rateLimit };
  };
}

async function reportCopies(
  { nodes, observation: { finalUrl: pageUrl, outcome } }: CheckedPage,
  resembled: readonly ResembledSite[],
  report: ReportCopies | undefined,
): Promise<void> {
  // a name alone, without a page, is nothing to look at
  if (report === undefined || outcome.kind !== 'page') return;
  for (const node of nodes) {
    if (node.kind !== 'checked' || node.result.checks.domainKnown !== false) continue;
    const { signed } = node.result;
    if (signed !== undefined) await report.certificate({ productId: signed.productId, pageUrl });
  }
  for (const { merchantId, host: original, resemblance } of resembled.slice(0, MOST_RELATED))
    await report.likeness({ merchantId, original, pageUrl, found: { kind: 'name', resemblance } });
}

/**
 * Verifies the certificates of one page, of which there may be 64, or of megabytes, one after the other: between any two, other
 * requests are answered. For an unknown product, `null` instead of an error: it leads to a verdict on the page.
 */
function inTurns(verifyProduct: VerifyProduct): VerifyOnPage {
  let before: Promise<unknown> = Promise.resolve();
  return (productId, submitted) => {
    const result = before.then(() => unlessUnknown(verifyProduct({ productId, ...submitted })));
    before = result.then(
      () => setImmediate(),
      () => undefined,
    );
    return result;
  };
}

function unlessUnknown<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'product_unknown') return null;
    throw error;
  });
}

/** What the registry adds to the page's own statements: about a page without a certificate, and about its images if requested. */
async function registryFindings(
  { observation, report: { verdict, mc4p, facts } }: CheckedPage,
  { images, viewer, ...asked }: Pick<CheckPageInput, 'images' | 'caller' | 'viewer' | 'signal'>,
  { matchImages, uncertifiedPage }: CheckPageOptions,
): Promise<string[]> {
  const isUncertified = verdict === 'no_certificate';
  const known = isUncertified ? await uncertifiedPage(observation.finalUrl, viewer) : [];
  if (images !== 'match') return known;
  const page = isUncertified ? { uncertified: observation.finalUrl, viewer } : { productId: mc4p.product_id };
  const live = facts.images.map(({ value }) => value);
  return [...known, ...(await matchImages({ ...page, live, ...asked }))];
}

/** Hosts that are named as resembled. */
const MOST_RELATED = 5;

/** The proven hosts that the host of a page resembles. */
async function resembledBy(
  { finalUrl }: Observation,
  knownSites: KnownSites | undefined,
): Promise<readonly ResembledSite[]> {
  const host = hostOf(finalUrl);
  return knownSites === undefined || host === null ? [] : knownSites.resembledBy(host);
}

/** Those of them that may be named to who asks. */
function relatedTo(
  resembled: readonly ResembledSite[],
  viewer: string | undefined,
): readonly RelatedToPage[] {
  return resembled
    .filter(({ isNamed, merchantId }) => isNamed || merchantId === viewer)
    .slice(0, MOST_RELATED)
    .map(({ host, provenSince, resemblance }) => ({
      kind: 'lookalike_host',
      host,
      provenSince,
      resemblance,
    }));
}

function relatedNote({ host, provenSince, resemblance }: RelatedToPage): string {
  return pageNote('lookalike_host', `${host}, proven since ${provenSince} (${resemblance.join(', ')})`);
}

function named(hash: KeyedHash, report: UnnamedReport): PageReport {
  return { id: reportId(hash, JSON.stringify(report)), ...report };
}

/** Equal reports have the same id (UUID version 8, RFC 9562), and are stored once. */
function reportId(hash: KeyedHash, text: string): string {
  const bytes = hash('ids of page checks', text).subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Microseconds since 1970. */
async function databaseTime(db: Database): Promise<number> {
  const { rows } = await sql<{ now: string }>`
    select (extract(epoch from clock_timestamp()) * 1000000)::bigint::text as now`.execute(db);
  return Number(rows[0]?.now);
}
