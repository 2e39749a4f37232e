import { hostOf } from '@touchstone/certificate/binding';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import type { CoreEvents, Emit } from '../registry/events.ts';

/** Reports what page checks find of a shop on hosts of others. It never fails a check: what cannot be reported is found again. */
export interface ReportCopies {
  /** A certificate, validly signed, on a host that is no domain of its store. */
  certificate(found: {
    /** As signed. */
    readonly productId: string;
    readonly pageUrl: string;
  }): Promise<void>;
  /** Certified pictures, or a name like that of a proven host. */
  likeness(
    found: Omit<CoreEvents['likenessFound'], 'host' | 'url' | 'now'> & { readonly pageUrl: string },
  ): Promise<void>;
}

/** Milliseconds in which a process reports a copy once, however often pages with it are checked. */
const INTERVAL = 60_000;
const MAX_RECENT = 20_000;
const MAX_URL = 1_000;

export interface ReportCopiesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly onFault: (error: unknown) => void;
}

export function createReportCopies({ db, clock, emit, onFault }: ReportCopiesOptions): ReportCopies {
  /** When each was reported last. */
  const recent = new LRUCache<string, number>({ max: MAX_RECENT });
  const isRecent = (key: string, now: Date) => {
    const before = recent.get(key);
    if (before !== undefined && now.getTime() - before < INTERVAL) return true;
    recent.set(key, now.getTime());
    return false;
  };
  return {
    async certificate({ productId, pageUrl }) {
      const [host, now] = [hostOf(pageUrl), clock()];
      if (host === null || isRecent(`${productId} ${host}`, now)) return;
      const found = { productId, host, url: shownUrl(pageUrl), now };
      await inTransaction(db, (trx) => emit(trx, 'certificateCopied', found)).catch(onFault);
    },
    async likeness({ pageUrl, ...likeness }) {
      const [host, now] = [hostOf(pageUrl), clock()];
      const { merchantId, original, found } = likeness;
      if (host === null || isRecent(`${found.kind} ${merchantId} ${original} ${host}`, now)) return;
      const event = { ...likeness, host, url: shownUrl(pageUrl), now };
      await inTransaction(db, (trx) => emit(trx, 'likenessFound', event)).catch(onFault);
    },
  };
}

/** Without credentials, query and fragment, which may identify the person who checked the page. */
function shownUrl(pageUrl: string): string {
  const { origin, pathname } = new URL(pageUrl);
  return `${origin}${pathname}`.slice(0, MAX_URL);
}
