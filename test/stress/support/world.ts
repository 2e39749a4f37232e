import { isPublicAddress } from '@touchstone/fetch';
import { openShop, productPage, type Shop } from '../../support/shop.ts';
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
const REGISTRY = '/api/v1/registry';

/** Rate limits so high that requests are judged by their content, not by their number. */
const NO_BUDGETS = {
  TOUCHSTONE_FETCH_PER_CALLER: '1000000',
  TOUCHSTONE_FETCH_PER_HOST: '1000000',
  TOUCHSTONE_FETCH_TOTAL: '1000000',
  TOUCHSTONE_PAGE_CHECK_MB_PER_CALLER: '2000',
};

export async function openWorld(start: Partial<ChildStart> = {}): Promise<World> {
  const shop = await openShop();
  const service = await startServiceProcess({
    ...start,
    settings: {
      ...NO_BUDGETS,
      TOUCHSTONE_FETCH_CONNECT_TO: HOSTS.map((host) => `${host}=127.0.0.1:${shop.port}`).join(','),
      ...start.settings,
    },
  });
  const client = createClient(service.port);
  const operate = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await client.ask({
      method,
      path: path.startsWith('/api') ? path : REGISTRY + path,
      headers: { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = answer.body.toString();
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const mine = await addTenant(operate, shop, 'mine.example');
  const theirs = await addTenant(operate, shop, 'theirs.example');
  return {
    service,
    shop,
    client,
    operate,
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

async function addTenant(operate: World['operate'], shop: Shop, host: string): Promise<Tenant> {
  const merchant = (await operate('POST', '/merchants', {
    name: `Merchant of ${host}`,
    planCapacity: 1_000_000,
  })) as {
    id: string;
  };
  const { key } = (await operate('POST', `/merchants/${merchant.id}/api-keys`, {})) as { key: string };
  const input = { merchantId: merchant.id, name: `Shop at ${host}`, url: `http://${host}/` };
  const store = (await operate('POST', '/stores', input)) as { id: string; domains: { challenge: string }[] };
  shop.put(`http://${host}/.well-known/touchstone-challenge`, store.domains[0]?.challenge ?? '');
  await operate('POST', `/stores/${store.id}/domains/${host}/verify`);
  const rows = ['kettle', 'teapot', 'cup'].map((name) => ({
    externalProductId: name,
    url: `http://${host}/products/${name}`,
    name,
    images: [{ url: `http://${host}/images/${name}.jpg` }],
  }));
  const { results } = (await operate('PUT', `/stores/${store.id}/products`, rows)) as {
    results: { id: string }[];
  };
  const products: Tenant['products'][number][] = [];
  for (const [index, { id }] of results.entries()) {
    const url = rows[index]?.url ?? '';
    const certificate = await operate('GET', `/api/v1/mc4p/products/${id}/certificate`);
    shop.put(url, productPage(certificate));
    const { images } = (await operate('GET', `/products/${id}`)) as { images: { id: string }[] };
    products.push({ id, url, images: images.map((image) => image.id) });
  }
  return { merchantId: merchant.id, key, storeId: store.id, host, products };
}
