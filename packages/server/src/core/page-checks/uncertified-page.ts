import { hostOf } from '@touchstone/certificate/binding';
import { pageNote } from '@touchstone/page';
import { sql } from 'kysely';
import { type Database, onlyRow } from '../../platform/database/database.ts';
import { readOwner } from '../../platform/database/hostname-owners.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';

/**
 * What the registry knows of the address of a page without a certificate, as findings (`code: sentence`): whether the host is a
 * proven one with certificates on other pages, and the certificate that is published for this very page. Constant work.
 *
 * @param viewer - the merchant who asks, who sees its own hosts though it does not want to be named
 * @throws ServiceError `database_unavailable`
 */
export type UncertifiedPage = (pageUrl: string, viewer?: string) => Promise<string[]>;

export interface UncertifiedPageOptions {
  readonly db: Database;
  readonly trusted: TrustedRows;
  /** The path of the certificate that is published for exactly this page. */
  readonly findCertificatePath: (pageUrl: string) => Promise<string | undefined>;
  readonly baseUrl: string;
}

export function createUncertifiedPage(options: UncertifiedPageOptions): UncertifiedPage {
  const { db, trusted, findCertificatePath, baseUrl } = options;
  return async (pageUrl, viewer) => {
    const { certificates, merchantId, isNamed } = await countCertificates(db, trusted, hostOf(pageUrl));
    if (certificates === 0) return [];
    // certificates are found by address on proven hosts only; whoever knows the address may have one, whether its host is named or not
    const path = await findCertificatePath(pageUrl);
    const here = path === undefined ? [] : [pageNote('product_certified_here', baseUrl + path)];
    const isTold = isNamed || merchantId === viewer;
    return isTold && certificates > here.length ? [...here, pageNote('host_certified_elsewhere')] : here;
  };
}

/** What a host publishes. */
export interface PublishedOnHost {
  /** How many certificates its stores publish, counted up to 2 each. */
  readonly certificates: number;
  /** Who has proven control of it; absent: nobody. */
  readonly merchantId?: string;
  /** Whether that may be told to others. */
  readonly isNamed: boolean;
}

/** What the stores publish that have this host, of the merchant who has proven control of it. */
export async function countCertificates(
  db: Database,
  trusted: TrustedRows,
  host: string | null,
): Promise<PublishedOnHost> {
  const owner = host === null ? null : await readOwner(db, trusted, host);
  if (owner === null) return { certificates: 0, isNamed: false };
  const merchant = owner.merchant_id;
  const { rows } = await sql<{ readonly certificates: number; readonly is_named: boolean }>`
    select coalesce(sum(c.certificates), 0)::int as certificates,
      not exists (select from site_opt_outs x where x.merchant_id = ${merchant}) as is_named
    from merchants m
    join stores s on s.merchant_id = ${merchant} and s.deleted_at is null
    join domains d on d.merchant_id = ${merchant} and d.store_id = s.id and d.hostname = ${host} and d.lost_at is null
    cross join lateral (
      select count(*) as certificates from (
        select 1 from products p where p.merchant_id = ${merchant} and p.store_id = s.id
          and product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) = 'active'
        limit 2) as active) c
    where m.id = ${merchant} and not m.paused`.execute(db);
  const { certificates, is_named: isNamed } = onlyRow(rows);
  return { certificates, merchantId: merchant, isNamed };
}
