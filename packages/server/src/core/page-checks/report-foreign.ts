import { hostOf } from '@touchstone/certificate/binding';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import type { Emit } from '../registry/events.ts';
import type { OnForeign } from './check-page.ts';

/** Milliseconds in which a process reports a copy once, however often pages with it are checked. */
const INTERVAL = 60_000;
const MAX_RECENT = 20_000;
const MAX_URL = 1_000;

export interface ReportForeignOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly onFault: (error: unknown) => void;
}

/** Reports the copies that page checks find. It never fails a check: a copy that cannot be reported is found again. */
export function createReportForeign({ db, clock, emit, onFault }: ReportForeignOptions): OnForeign {
  const recent = new LRUCache<string, true>({ max: MAX_RECENT, ttl: INTERVAL });
  return async ({ productId, pageUrl }) => {
    const host = hostOf(pageUrl);
    const key = `${productId} ${host}`;
    if (host === null || recent.has(key)) return;
    recent.set(key, true);
    const found = { productId, host, url: shownUrl(pageUrl), now: clock() };
    await inTransaction(db, (trx) => emit(trx, 'certificateCopied', found)).catch(onFault);
  };
}

/** Without credentials, query and fragment, which may identify the person who checked the page. */
function shownUrl(pageUrl: string): string {
  const { origin, pathname } = new URL(pageUrl);
  return `${origin}${pathname}`.slice(0, MAX_URL);
}
