import type { SetupStep, StoreSetup } from '@touchstone/contract';
import { SETUP_STEPS } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Registry } from '../../core/registry/context.ts';
import { listDomains } from '../../core/registry/domains/hostname-claims.ts';
import { findStore } from '../../core/registry/find-store.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { storeNow } from './store-now.ts';

/** Products are counted up to this number. */
const MOST_PRODUCTS = 10_000;

interface Facts {
  readonly certificates: number;
  readonly images_total: number;
  readonly images_certified: number;
  readonly images_waiting: number;
  readonly images_failed: number;
  readonly pages: Readonly<Record<string, number>>;
  readonly products: number;
  readonly proven: number;
  readonly open: number;
  readonly lost: number;
  readonly checked_at: Date | null;
  readonly import_id: string | null;
  readonly import_state: 'waiting' | 'running' | 'done' | 'failed' | null;
  readonly import_at: Date | null;
  readonly has_source: boolean;
  readonly is_connected: boolean;
  readonly is_reading: boolean;
  readonly read_at: Date | null;
  readonly told_at: Date | null;
  readonly problem: string | null;
}

/** The progress of a store's setup, up to verified pages. Throws `store_unknown`. */
export async function storeSetup(registry: Registry, scope: Scope, storeId: string): Promise<StoreSetup> {
  const store = await findStore(registry.db, scope, storeId);
  const { id, merchantId } = store;
  const { rows } = await sql<Omit<Facts, 'proven' | 'open' | 'lost'>>`
    select n.certificates, n.images_total, n.images_certified, n.images_waiting, n.images_failed, n.pages,
      (select count(*)::int from (
        select 1 from products where merchant_id = ${merchantId} and store_id = ${id} and deleted_at is null limit ${MOST_PRODUCTS}) p) as products,
      w.checked_at, i.id as import_id, i.state as import_state, i.created_at as import_at,
      exists (
        select from store_sources where merchant_id = ${merchantId} and store_id = ${id}) as has_source,
      c.store_id is not null as is_connected, c.reading_since is not null as is_reading, c.read_at, c.told_at,
      c.problem->>'code' as problem
    from ${storeNow(store)} n left join sweep_stores w on w.merchant_id = n.merchant_id and w.store_id = n.store_id
      left join (
        select id, state, created_at from imports where merchant_id = ${merchantId} and store_id = ${id}
        order by created_at desc limit 1) i on true
      left join shopify_connections c on c.merchant_id = n.merchant_id and c.store_id = n.store_id`.execute(
    registry.db,
  );
  const [facts] = rows;
  // deleted at this moment
  if (facts === undefined) throw new ServiceError('store_unknown');
  const domains = await listDomains(registry.db, registry.secrets, store);
  const proven = domains.filter(({ verified }) => verified).length;
  const lost = domains.filter(({ lostAt }) => lostAt !== undefined).length;
  return toView(id, { ...facts, proven, lost, open: domains.length - proven - lost });
}

type State = StoreSetup['steps'][number]['state'];

function toView(storeId: string, facts: Facts): StoreSetup {
  const page = (name: string) => facts.pages[name] ?? 0;
  const carrying = ['verified', 'stale', 'expired', 'failed'].reduce((sum, name) => sum + page(name), 0);
  const checked = carrying + page('lost') + page('missing') + page('unreachable');
  const pages = { checked, carrying, verified: page('verified') };
  const states: Record<SetupStep, State> = {
    store: 'done',
    domain: facts.proven > 0 ? 'done' : facts.lost > 0 ? 'problem' : 'open',
    products: productsState(facts),
    images: imagesState(facts),
    publish: publishState(facts, carrying + page('lost') > 0),
    pages: pages.verified > 0 ? 'done' : checked > 0 ? 'problem' : 'open',
  };
  const steps = SETUP_STEPS.map((step) => ({ step, state: states[step] }));
  const next = steps.find(({ state }) => state !== 'done')?.step;
  const { proven, open, lost } = facts;
  return {
    storeId,
    complete: next === undefined,
    ...(next === undefined ? {} : { next }),
    steps,
    domains: { proven, open, lost },
    products: facts.products,
    ...lastImport(facts),
    hasSource: facts.has_source,
    images: {
      total: facts.images_total,
      certified: facts.images_certified,
      waiting: facts.images_waiting,
      failed: facts.images_failed,
    },
    certificates: facts.certificates,
    ...publisher(facts),
    pages: {
      ...pages,
      ...(facts.checked_at === null ? {} : { checkedAt: facts.checked_at.toISOString() }),
    },
  };
}

function productsState({ products, import_state, is_reading }: Facts): State {
  if (import_state === 'waiting' || import_state === 'running' || is_reading) return 'under_way';
  if (products > 0) return 'done';
  return import_state === 'failed' ? 'problem' : 'open';
}

function imagesState({ products, images_total, images_waiting, images_failed }: Facts): State {
  if (images_waiting > 0) return 'under_way';
  if (images_failed > 0 && images_failed === images_total) return 'problem';
  return products > 0 ? 'done' : 'open';
}

function publishState({ problem, told_at }: Facts, wasSeen: boolean): State {
  if (wasSeen) return 'done';
  if (problem !== null) return 'problem';
  return told_at === null ? 'open' : 'under_way';
}

function lastImport({ import_id, import_state, import_at }: Facts): Pick<StoreSetup, 'lastImport'> {
  if (import_id === null || import_state === null || import_at === null) return {};
  return { lastImport: { id: import_id, state: import_state, createdAt: import_at.toISOString() } };
}

function publisher({ is_connected, read_at, told_at, problem }: Facts): Pick<StoreSetup, 'publisher'> {
  if (!is_connected) return {};
  return {
    publisher: {
      platform: 'shopify',
      ...(read_at === null ? {} : { readAt: read_at.toISOString() }),
      ...(told_at === null ? {} : { publishedAt: told_at.toISOString() }),
      ...(problem === null ? {} : { problem }),
    },
  };
}
