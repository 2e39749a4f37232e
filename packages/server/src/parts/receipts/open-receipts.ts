import { getReceiptKeys, type ReceiptKeys } from '@touchstone/contract';
import type { Core } from '../../core/core.ts';
import type { OpenPart } from '../../core/part.ts';
import { andThen } from '../../platform/and-then.ts';
import { createFreshCache } from '../../platform/cache/fresh-cache.ts';
import { documentReply, implement } from '../../platform/http/implement.ts';
import { type RenderedDocument, renderDocument } from '../../platform/http/rendered-document.ts';

export type OpenReceiptsCore = Pick<Core, 'clock' | 'keys' | 'caching' | 'publicDocuments'>;

/** Bytes: there are few keys. */
const CACHE_BYTES = 256 * 1024;

export function openReceipts(core: OpenReceiptsCore): OpenPart {
  const getKeys = createGetKeys(core);
  core.publicDocuments.add(async () => [{ path: getReceiptKeys.path, ...(await getKeys()) }]);
  return { routes: [implement(getReceiptKeys, () => andThen(getKeys(), documentReply))] };
}

/** The public keys of receipts. */
function createGetKeys({ clock, keys, caching }: OpenReceiptsCore) {
  const cache = createFreshCache<RenderedDocument<ReceiptKeys>>({
    ...caching,
    clock,
    maxBytes: CACHE_BYTES,
    asStale: (set) => ({ ...set, headers: { ...set.headers, 'cache-control': 'public, no-cache' } }),
  });
  const load = async () => {
    const value = renderDocument<ReceiptKeys>(
      { keys: [...(await keys.receipts.published())] },
      { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' },
    );
    return { value, bytes: value.body.latin1.length, tags: ['k:*'] as const };
  };
  return () => cache.get('keys', load);
}
