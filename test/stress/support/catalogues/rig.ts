import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ImportView } from '@touchstone/contract';
import { callService, openStore, operate } from '../../../kit/registry.ts';
import { httpServer } from '../../../kit/servers.ts';
import { type ServiceProcess, startServiceProcess } from '../service-process.ts';

const REGISTRY = '/api/v1/registry';
/** Merchants, each with a store at a host of its own. */
const MERCHANTS = 8;

/** What a shop answers at a path with its query; `undefined`: 404. */
export type ShopAnswers = (path: string) => string | Uint8Array | undefined;

/** A service in a separate process, and shops on loopback whose catalogues it imports. */
export interface ImportRig {
  readonly service: ServiceProcess;
  /** A path of a store that takes products. */
  readonly productsPath: string;
  /** Imports the catalogue of a shop, of the next merchant whose last import has ended; the import as it ended. */
  importFrom(answers: ShopAnswers, kind?: string): Promise<ImportView>;
  close(): Promise<void>;
}

export async function openImportRig(): Promise<ImportRig> {
  const answers = new Map<string, ShopAnswers>();
  const shop = await httpServer((request, response) => {
    const found = answers.get(request.headers.host ?? '')?.(request.url ?? '/');
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(found);
  });
  const hosts = Array.from({ length: MERCHANTS }, (_, n) => `shop${n}.example`);
  const service = await startServiceProcess({
    settings: {
      TOUCHSTONE_FETCH_CONNECT_TO: hosts.map((host) => `${host}:80=127.0.0.1:${shop.port}`).join(','),
      TOUCHSTONE_IMPORT_INTERVAL_MS: '0',
      TOUCHSTONE_PRODUCTS_PER_MERCHANT: '10000000',
      TOUCHSTONE_IMAGE_CONCURRENT: '0',
      TOUCHSTONE_SWEEPS: 'false',
      TOUCHSTONE_CERTIFICATES_AHEAD: 'false',
    },
  });
  const stores: { readonly host: string; readonly storeId: string }[] = [];
  for (const host of hosts)
    stores.push({ host, storeId: (await openStore(service, `http://${host}`, { planCapacity: 100 })).id });
  const first = stores[0]?.storeId ?? '';
  const free = [...stores];
  const waiting: (() => void)[] = [];
  return {
    service,
    productsPath: `${REGISTRY}/stores/${first}/products`,
    async importFrom(given, kind = 'document') {
      while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      const store = free.shift() as (typeof stores)[number];
      answers.set(store.host, given);
      try {
        const body = { url: `http://${store.host}/`, kind };
        const { id } = await operate<ImportView>(service, 'POST', `/stores/${store.storeId}/imports`, body);
        return await ended(service, id);
      } finally {
        free.push(store);
        waiting.shift()?.();
      }
    },
    async close() {
      await service.stop();
      await shop.close();
    },
  };
}

/** Follows the events of an import to its end. */
async function ended(service: ServiceProcess, id: string): Promise<ImportView> {
  const { text } = await callService(service, 'GET', `${REGISTRY}/imports/${id}/events`);
  const data = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1];
  return JSON.parse(data ?? '{}') as ImportView;
}

/**
 * Asks a service for its health, one request after another, on a thread that does nothing else; returns the longest wait in
 * milliseconds when it is stopped.
 */
export function watchHealth(url: string): () => Promise<number> {
  const watcher = new Worker(new URL('./health-watcher.ts', import.meta.url), {
    workerData: `${url}/healthz`,
  });
  return async () => {
    watcher.postMessage('stop');
    const [longest] = (await once(watcher, 'message')) as [number];
    await watcher.terminate();
    return longest;
  };
}
