import { setTimeout as delay } from 'node:timers/promises';
import type { Item } from '../../kit/assortment.ts';
import type { TestProduct, TestShopify } from '../../kit/shopify.ts';
import { renderEmbed } from '../../kit/shopify-theme.ts';
import { type Catalogue, pageOf } from './catalogue.ts';
import type { Shop } from './publishers.ts';
import { BASE_URL, type World } from './world.ts';

/** A Shopify shop connected to the service: its own products, its webhooks, its theme with the app embed. */
export function shopifyShop(world: World, catalogue: Catalogue, shopify: TestShopify): Shop {
  const { host } = catalogue;
  const known = new Map<string, { readonly item: Item; readonly product: TestProduct }>();
  // the theme's last output, which is the same for the same product with the same metafield
  const printed = new Map<
    string,
    { readonly item: Item; readonly value: string | null; readonly page: string }
  >();
  const counts = { webhooks: 0, failedWebhooks: 0, connections: 0 };

  const tell = async (storeId: string, topic: string, product: TestProduct) => {
    const { headers, body } = shopify.webhook(topic, product);
    const url = `${BASE_URL}/api/v1/shopify/${storeId}/webhooks`;
    const told = await world.fetch(url, { method: 'POST', headers, body }).then(
      ({ status }) => status === 204,
      () => false,
    );
    counts[told ? 'webhooks' : 'failedWebhooks'] += 1;
  };
  /** The owner's changes are in the shop at once; the service receives them when it is reachable. */
  const send = async (storeId: string) => {
    const present = new Map(catalogue.items().map((item) => [item.externalId, item]));
    for (const [externalId, { product }] of known) {
      if (present.has(externalId)) continue;
      known.delete(externalId);
      shopify.products.delete(String(product.id));
      await tell(storeId, 'products/delete', product);
    }
    for (const item of present.values()) {
      const before = known.get(item.externalId);
      if (before?.item === item) continue;
      const product = before?.product ?? shopify.add();
      product.title = item.name;
      product.handle = item.path.slice('/products/'.length);
      product.published = item.isVisible;
      known.set(item.externalId, { item, product });
      if (counts.connections > 0)
        await tell(storeId, before === undefined ? 'products/create' : 'products/update', product);
    }
  };
  const connect = async (storeId: string) => {
    const { shop, token: accessToken, secret: clientSecret } = shopify;
    await world.operate('PUT', `/stores/${storeId}/shopify`, { shop, accessToken, clientSecret });
    counts.connections += 1;
  };

  return {
    name: 'shopify',
    catalogue: { ...catalogue, send },
    // after each run, the next is due in a minute
    interval: 1,
    build: async () => {},
    async run(storeId) {
      if (!world.isUp()) return;
      if (counts.connections === 0) await connect(storeId);
      // in six hours the service polls the shop more often than this
      await world.database.query(
        "update jobs set state = 'ready', due_at = now() where queue = 'shopify' and state = 'scheduled'",
      );
      for (;;) {
        const { state, problem } = await world.operate('GET', `/stores/${storeId}/shopify`);
        if (state === 'current') return;
        if (state === 'failing') throw new Error(JSON.stringify(problem));
        await delay(50);
      }
    },
    async page(path) {
      const item = catalogue.at(path);
      const product = item === undefined ? undefined : known.get(item.externalId)?.product;
      if (item === undefined || product === undefined) return null;
      const value = product.metafield;
      const before = printed.get(path);
      if (before?.item === item && before.value === value) return before.page;
      const touchstone_certificate = { value: shopify.certificateOf(product) };
      const metafields = { $app: { touchstone_certificate } };
      const page = pageOf(host, item, await renderEmbed({ handle: product.handle, metafields }));
      printed.set(path, { item, value, page });
      return page;
    },
    counts: () => counts,
  };
}
