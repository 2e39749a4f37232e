import { createHash } from 'node:crypto';
import { STATUS_LIST_CACHE_CONTROL } from '@touchstone/contract';
import { createFreshCache, type FreshCacheOptions } from '../../platform/cache/fresh-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { ByteText } from '../../platform/http/rendered-document.ts';
import type { Comparison } from './comparison.ts';
import { readTokens, type TokenRow, tokenOfRow } from './token-table.ts';

/** A token ready to be sent: the same bytes from every node. */
export interface RenderedToken {
  readonly body: ByteText;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @throws ServiceError `status_list_unknown`, `blobs_unavailable` */
export type GetStatusList = (listId: string) => RenderedToken | Promise<RenderedToken>;

export interface GetStatusListOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly caching: Pick<FreshCacheOptions, 'hub' | 'freshness'>;
  readonly comparison: Pick<Comparison, 'whenDone'>;
}

/** Bytes: some lists are open or in use at a time. */
const CACHE_BYTES = 16 * 1024 * 1024;
const MOST_ID = 2 ** 31 - 1;

export function createGetStatusList({ db, clock, caching, comparison }: GetStatusListOptions): GetStatusList {
  const cache = createFreshCache<RenderedToken>({
    ...caching,
    clock,
    maxBytes: CACHE_BYTES,
    // the token itself says until when it is valid
    asStale: (token) => ({ ...token, headers: { ...token.headers, 'cache-control': 'public, no-cache' } }),
  });
  const load = async (listId: string) => {
    const id = Number(listId);
    const [row] = id > MOST_ID ? [] : await comparison.whenDone(() => readTokens(db, [id]));
    if (row === undefined) throw new ServiceError('status_list_unknown');
    const value = renderToken(row);
    return { value, bytes: value.body.latin1.length, tags: [`l:${listId}` as const] };
  };
  return (listId) => cache.get(`l:${listId}`, () => load(listId));
}

export function renderToken(row: TokenRow): RenderedToken {
  const body = ByteText.of(tokenOfRow(row));
  const etag = `"${createHash('sha256').update(body.latin1, 'latin1').digest('base64url').slice(0, 27)}"`;
  const headers = {
    'content-type': 'application/statuslist+jwt',
    'cache-control': STATUS_LIST_CACHE_CONTROL,
    // for shared caches (RFC 9213): while this service fails, they may answer for another hour; a token says itself until when it is valid
    'cdn-cache-control': `${STATUS_LIST_CACHE_CONTROL}, stale-if-error=3600`,
    etag,
  };
  return { body, etag, headers };
}
