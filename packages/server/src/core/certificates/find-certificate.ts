import { productCertificatePath } from '@touchstone/certificate';
import { comparePageUrls, createPageNormalizer } from '@touchstone/certificate/binding';
import type { ProductCertificate } from '@touchstone/contract';
import { NOT_PUBLISHING } from '@touchstone/contract/codes';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { type OwnerRow, ownerOf, ownerRow } from '../../platform/database/hostname-owners.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import type { RenderedDocument } from '../../platform/http/rendered-document.ts';
import { mapConcurrently } from '../../platform/map-concurrently.ts';
import { wantedPageKeys } from '../registry/products/page-key.ts';
import { getProduct } from '../registry/products/read-products.ts';
import type { GetCertificate } from './get-product-certificate.ts';

/** The certificate of a page. */
export interface FoundCertificate {
  /** The document, as served under the product's id. */
  readonly document: RenderedDocument<ProductCertificate>;
  /** Path under which it is served. */
  readonly path: string;
  /** Paths of other products of the same merchant whose signed address is also this page; at most a few. */
  readonly alternates: readonly string[];
}

/**
 * The certificate of the product whose signed page address is the given one, by `comparePageUrls`. Only products on a host
 * of which their merchant has proven control are found, since callers insert the certificate into the page.
 *
 * @param scope - of the caller's API key: products in it are found on unproven hosts, too
 * @throws ServiceError `page_uncertified`; `page_claimed_twice` if several merchants claim the page and none has proven its host
 */
export type FindCertificate = (pageUrl: string, scope?: Scope) => Promise<FoundCertificate>;

/**
 * Most products with the same page key that are compared, oldest first. Their addresses differ only in parameters, as those of
 * variants do.
 */
const MAX_CANDIDATES = 2_500;
/** Products compared before the event loop is released; a few milliseconds. */
const AT_ONCE = 200;
/** Maximum number of alternatives returned with the chosen product. */
const MAX_ALTERNATES = 10;

export function createFindCertificate(
  db: Database,
  trusted: TrustedRows,
  getCertificate: GetCertificate,
): FindCertificate {
  return async (pageUrl, scope) => {
    const [found, ...others] = await productsOfPage(db, trusted, pageUrl, scope);
    if (found === undefined) throw await uncertifiedFor(db, pageUrl, scope);
    const path = productCertificatePath(found.id);
    const alternates = others.slice(0, MAX_ALTERNATES).map(({ id }) => productCertificatePath(id));
    if (others.some(({ merchant_id }) => merchant_id !== found.merchant_id)) {
      throw new ServiceError('page_claimed_twice', { members: { certificates: [path, ...alternates] } });
    }
    try {
      return { document: await getCertificate(found.id), path, alternates };
    } catch (error) {
      // deleted after it was found
      throw error instanceof ServiceError && error.code === 'product_unknown' ? uncertified() : error;
    }
  };
}

/** The path of the certificate that is published for exactly this page, as `FindCertificate` finds it, without issuing it. */
export type FindCertificatePath = (pageUrl: string) => Promise<string | undefined>;

export function createFindCertificatePath(db: Database, trusted: TrustedRows): FindCertificatePath {
  return async (pageUrl) => {
    const [found] = await productsOfPage(db, trusted, pageUrl, undefined);
    return found === undefined ? undefined : productCertificatePath(found.id);
  };
}

/**
 * The ids of the products of which one may be found by a public lookup of a page with this key, in the order of preference: the first
 * whose address is that of the page (`comparePageUrls`) is the one found.
 *
 * @param storedKey - `products.page_key`
 */
export type FindPageProducts = (storedKey: string) => Promise<readonly string[]>;

export function createFindPageProducts(db: Database, trusted: TrustedRows): FindPageProducts {
  return async (storedKey) => {
    const candidates = await readCandidates(db, trusted, [storedKey], undefined);
    return inPreference(candidates, createPageNormalizer()).map(({ id }) => id);
  };
}

function uncertified(): ServiceError {
  return new ServiceError('page_uncertified');
}

/** The same, which to a caller of whose products one has this address also says why that one publishes no certificate. */
async function uncertifiedFor(
  db: Database,
  pageUrl: string,
  scope: Scope | undefined,
): Promise<ServiceError> {
  if (scope === undefined) return uncertified();
  const normalize = createPageNormalizer();
  const { rows } = await sql<{ id: string; url: string }>`
    select id, url from products p
    where page_key = any(${wantedPageKeys(pageUrl)}::bigint[]) and deleted_at is null
      and ${scope === 'all' ? sql`true` : sql`merchant_id = ${scope.merchantId}`}
    order by created_order limit ${AT_ONCE}`.execute(db);
  const own = rows.find(({ url }) => comparePageUrls(url, pageUrl, normalize).equal);
  if (own === undefined) return uncertified();
  const { state, externalProductId } = await getProduct({ db }, scope, own.id);
  if (state === 'active') return uncertified();
  return new ServiceError('page_uncertified', {
    message: `The product ${JSON.stringify(externalProductId)} (${own.id}) has this address and publishes no certificate: ${NOT_PUBLISHING[state]}`,
    members: { productId: own.id },
  });
}

interface Candidate {
  readonly id: string;
  readonly url: string;
  readonly merchant_id: string;
}

/** Products whose signed address is the page: those whose address states more of it first, then the oldest. */
async function productsOfPage(
  db: Database,
  trusted: TrustedRows,
  pageUrl: string,
  scope: Scope | undefined,
): Promise<Candidate[]> {
  const normalize = createPageNormalizer();
  const candidates = await readCandidates(db, trusted, wantedPageKeys(pageUrl), scope);
  const parts = Array.from({ length: Math.ceil(candidates.length / AT_ONCE) }, (_, part) =>
    candidates.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  );
  const equal = await mapConcurrently(
    parts,
    () => 1,
    async (part) => part.filter(({ url }) => comparePageUrls(url, pageUrl, normalize).equal),
  );
  return inPreference(equal.flat(), normalize);
}

function inPreference(
  candidates: readonly Candidate[],
  normalize: ReturnType<typeof createPageNormalizer>,
): Candidate[] {
  const carried = (url: string) => normalize(url)?.text.length ?? 0;
  return candidates.toSorted((a, b) => carried(b.url) - carried(a.url));
}

/** Products that publish a certificate, on a host of their store that is proven, or in the scope of the caller. */
async function readCandidates(
  db: Database,
  trusted: TrustedRows,
  pageKeys: readonly string[],
  scope: Scope | undefined,
): Promise<Candidate[]> {
  const own = typeof scope === 'object' ? sql`p.merchant_id = ${scope.merchantId}` : sql`false`;
  const { rows } = await sql<Candidate & { readonly is_own: boolean; readonly owner: OwnerRow }>`
    select p.id, p.url, p.merchant_id, ${scope === 'all' ? sql`true` : own} as is_own, ${ownerRow('o')} as owner
    from products p
    join stores s on s.merchant_id = p.merchant_id and s.id = p.store_id and s.deleted_at is null
    join merchants m on m.id = p.merchant_id and not m.paused
    join domains d on d.merchant_id = p.merchant_id and d.store_id = p.store_id and d.hostname = p.host and d.lost_at is null
    left join hostname_owners o on o.hostname = p.host and o.merchant_id = p.merchant_id
    where p.page_key = any(${pageKeys}::bigint[]) and p.deleted_at is null
      and product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) = 'active'
      and (${scope === 'all' ? sql`true` : own} or o.hostname is not null)
    order by p.created_order limit ${MAX_CANDIDATES}`.execute(db);
  return rows.filter(({ is_own, owner }) => is_own || ownerOf(trusted, owner) !== null);
}
