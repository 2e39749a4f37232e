import { isPublicAddress } from '@touchstone/fetch';
import { openStore, operate, putProducts, UNLIMITED_FETCHES } from '../../kit/registry.ts';
import { openShop, productPage, type Shop } from '../../kit/shop.ts';
import { type Client, createClient } from './client.ts';
import type { Promised } from './contract.ts';
import { type ChildStart, type ServiceProcess, startServiceProcess } from './service-process.ts';

/** One merchant with a proven shop, as registered. */
export interface Tenant {
  readonly merchantId: string;
  readonly key: string;
  readonly storeId: string;
  readonly host: string;
  readonly products: readonly { readonly id: string; readonly url: string; readonly images: string[] }[];
}

/** A service in a separate process with two merchants, and the shop that its page checks fetch. */
export interface World {
  readonly service: ServiceProcess;
  readonly shop: Shop;
  readonly client: Client;
  readonly promised: Promised;
  readonly mine: Tenant;
  readonly theirs: Tenant;
  /** A call with the operator's key that must succeed. */
  operate(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

const HOSTS = ['mine.example', 'theirs.example', 'naughty.example'];
export async function openWorld(start: Partial<ChildStart> = {}): Promise<World> {
  const shop = await openShop();
  const service = await startServiceProcess({
    ...start,
    settings: {
      ...UNLIMITED_FETCHES,
      TOUCHSTONE_FETCH_CONNECT_TO: HOSTS.map((host) => `${host}=127.0.0.1:${shop.port}`).join(','),
      ...start.settings,
    },
  });
  const client = createClient(service.port);
  const mine = await addTenant(service, shop, 'mine.example');
  const theirs = await addTenant(service, shop, 'theirs.example');
  return {
    service,
    shop,
    client,
    operate: (method, path, body) => operate(service, method, path, body),
    mine,
    theirs,
    promised: {
      baseUrl: service.url,
      secrets: [service.operatorKey, mine.key, theirs.key, service.dataDir],
    },
    async close() {
      client.close();
      await service.stop();
      await shop.close();
    },
  };
}

/** Attempted connections of page fetches outside the public internet, except to hosts mapped by settings. */
export function strayDials(dials: readonly string[]): string[] {
  return dials.filter((dial) => {
    const [host = '', address = ''] = dial.split(' ');
    return !HOSTS.includes(host) && !isPublicAddress(address);
  });
}

async function addTenant(service: ServiceProcess, shop: Shop, host: string): Promise<Tenant> {
  const { id: storeId, merchantId } = await openStore(service, `http://${host}/`, { shop });
  const { key } = await operate<{ key: string }>(service, 'POST', `/merchants/${merchantId}/api-keys`, {});
  const rows = ['kettle', 'teapot', 'cup'].map((name) => ({
    externalProductId: name,
    url: `http://${host}/products/${name}`,
    name,
    images: [{ url: `http://${host}/images/${name}.jpg` }],
  }));
  const ids = await putProducts(service, storeId, rows);
  const products: Tenant['products'][number][] = [];
  for (const [index, id] of ids.entries()) {
    const url = rows[index]?.url ?? '';
    const certificate = await operate(service, 'GET', `/api/v1/mc4p/products/${id}/certificate`);
    shop.put(url, productPage(certificate));
    const { images } = await operate<{ images: { id: string }[] }>(service, 'GET', `/products/${id}`);
    products.push({ id, url, images: images.map((image) => image.id) });
  }
  return { merchantId, key, storeId, host, products };
}
