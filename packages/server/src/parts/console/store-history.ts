import type { StoreDay, StoreHistory } from '@touchstone/contract';
import { SWEEP_RESULTS, type SweepResultName } from '@touchstone/contract/codes';
import { sql } from 'kysely';
import type { Registry } from '../../core/registry/context.ts';
import { findStore } from '../../core/registry/find-store.ts';
import type { Scope } from '../../platform/http/access.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import { storeNow } from './store-now.ts';

/** Days for which the history is kept. */
const HISTORY_DAYS = 400;
const DAY = 86_400_000;

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

const COUNTS = sql`
  certificates, issued, renewed, withdrawn, images_total, images_certified, images_failed, pages`;

/** Records today's figures of every store from its counts, if they have changed. Past days stay unchanged. */
export async function recordDays({ db, clock }: Pick<Registry, 'db' | 'clock'>): Promise<void> {
  const now = clock();
  await sql`
    insert into store_days as d (merchant_id, store_id, day, certificates, issued, renewed, withdrawn, images_total, images_certified,
        images_failed, pages)
      select merchant_id, store_id, ${dayOf(now)}::date, ${COUNTS} from ${storeNow()} n order by merchant_id, store_id
    on conflict (merchant_id, store_id, day) do update set
      (certificates, issued, renewed, withdrawn, images_total, images_certified, images_failed, pages) =
        row(excluded.certificates, excluded.issued, excluded.renewed, excluded.withdrawn, excluded.images_total,
          excluded.images_certified, excluded.images_failed, excluded.pages)
      where (d.certificates, d.issued, d.renewed, d.withdrawn, d.images_total, d.images_certified, d.images_failed, d.pages)
        is distinct from (excluded.certificates, excluded.issued, excluded.renewed, excluded.withdrawn,
          excluded.images_total, excluded.images_certified, excluded.images_failed, excluded.pages)`.execute(
    db,
  );
  const oldest = dayOf(new Date(now.getTime() - (HISTORY_DAYS - 1) * DAY));
  await sql`delete from store_days where day < ${oldest}::date`.execute(db);
}

export const recordDaysTask = (registry: Pick<Registry, 'db' | 'clock'>): ScheduledTask => ({
  name: 'record how stores are today',
  every: 10 * 60_000,
  run: () => recordDays(registry),
});

interface Row {
  readonly day: string;
  readonly certificates: number;
  /** bigint, as text. */
  readonly issued: string;
  readonly renewed: string;
  readonly withdrawn: string;
  readonly images_total: number;
  readonly images_certified: number;
  readonly images_failed: number;
  readonly pages: Readonly<Record<string, number>>;
}

/** The last days of a store, with the present figures of today. Throws `store_unknown`. */
export async function storeHistory(
  registry: Registry,
  scope: Scope,
  storeId: string,
  days: number,
): Promise<StoreHistory> {
  const { id, merchantId } = await findStore(registry.db, scope, storeId);
  const now = registry.clock();
  const today = dayOf(now);
  const first = dayOf(new Date(now.getTime() - (days - 1) * DAY));
  const store = sql`merchant_id = ${merchantId} and store_id = ${id}`;
  // including the day before the first, from whose sums that is calculated
  const { rows } = await sql<Row>`
    (select day::text, ${COUNTS} from store_days
      where ${store} and day < ${first}::date order by day desc limit 1)
    union all
    (select day::text, ${COUNTS} from store_days
      where ${store} and day >= ${first}::date and day < ${today}::date order by day)
    union all
    (select ${today}, ${COUNTS} from ${storeNow({ id, merchantId })} n)`.execute(registry.db);
  const told = rows.map((row, i) => toView(row, rows[i - 1], today)).filter(({ day }) => day >= first);
  return { storeId: id, days: told };
}

const RESULTS = Object.keys(SWEEP_RESULTS) as SweepResultName[];

function toView(row: Row, before: Row | undefined, today: string): StoreDay {
  const since = (name: 'issued' | 'renewed' | 'withdrawn') => Number(row[name]) - Number(before?.[name] ?? 0);
  return {
    day: row.day,
    ...(row.day === today ? { live: true } : {}),
    certificates: row.certificates,
    issued: since('issued'),
    renewed: since('renewed'),
    withdrawn: since('withdrawn'),
    images: { total: row.images_total, certified: row.images_certified, failed: row.images_failed },
    pages: Object.fromEntries(RESULTS.map((name) => [name, row.pages[name] ?? 0])) as StoreDay['pages'],
  };
}
