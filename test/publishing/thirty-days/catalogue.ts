import type { World } from './world.ts';

/** One product of a shop, as its owner keeps it. */
export interface Item {
  readonly externalId: string;
  readonly path: string;
  readonly name: string;
  readonly price: number;
  readonly isVisible: boolean;
}

/** A shop's products: what its owner does each day, told to the service when it can be reached. */
export interface Catalogue {
  readonly host: string;
  items(): readonly Item[];
  at(path: string): Item | undefined;
  /** A day of work: two products come, one goes, one hides or shows, two change, one moves. */
  work(day: number): void;
  /** Tells the service what changed since it was last told. */
  send(storeId: string): Promise<void>;
}

export function createCatalogue(world: World, host: string, count: number): Catalogue {
  const items = new Map<string, Item>();
  const changed = new Set<string>();
  const ids = new Map<string, string>();
  let made = 0;
  const put = (item: Item) => {
    items.set(item.externalId, item);
    changed.add(item.externalId);
  };
  const add = () => {
    made += 1;
    const externalId = `cup-${made}`;
    put({ externalId, path: `/products/${externalId}`, name: `Cup ${made}`, price: 10, isVisible: true });
  };
  const nth = (n: number): Item => {
    const all = [...items.values()];
    return all[n % all.length] as Item;
  };
  for (let n = 0; n < count; n += 1) add();

  return {
    host,
    items: () => [...items.values()],
    at: (path) => [...items.values()].find((item) => item.path === path),
    work(day) {
      add();
      add();
      const gone = nth(day * 7);
      items.delete(gone.externalId);
      changed.add(gone.externalId);
      const turned = nth(day * 11 + 3);
      put({ ...turned, isVisible: !turned.isVisible });
      for (const item of [nth(day * 13 + 5), nth(day * 17 + 8)])
        put({ ...item, name: `${item.name}, ${day}`, price: item.price + 1 });
      const moved = nth(day * 19 + 10);
      put({ ...moved, path: `/products/${moved.externalId}-${day}` });
    },
    async send(storeId) {
      if (!world.isUp()) return;
      const present = [...changed].flatMap((externalId) => items.get(externalId) ?? []);
      if (present.length > 0) {
        const rows = present.map(({ externalId, path, name, isVisible }) => ({
          externalProductId: externalId,
          url: `http://${host}${path}`,
          name,
          visible: isVisible,
          images: [],
        }));
        const { results } = (await world.operate('PUT', `/stores/${storeId}/products`, rows)) as {
          results: { id?: string; externalProductId: string; errors?: unknown }[];
        };
        for (const { id, externalProductId, errors } of results) {
          if (id === undefined) throw new Error(`${externalProductId}: ${JSON.stringify(errors)}`);
          ids.set(externalProductId, id);
        }
      }
      for (const externalId of [...changed].filter((one) => !items.has(one))) {
        const id = ids.get(externalId);
        if (id !== undefined) await world.operate('DELETE', `/products/${id}`);
      }
      changed.clear();
    },
  };
}

/** The page of a product as the shop makes it, with the structured data of its own that every shop has. */
export function pageOf(host: string, { path, name, price }: Item, more = ''): string {
  const url = `http://${host}${path}`;
  const node = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    '@id': `${url}#product`,
    name,
    offers: { '@type': 'Offer', price, priceCurrency: 'EUR', url },
  };
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name}</title><link rel="canonical" href="${url}"></head><body><h1>${name}</h1><script type="application/ld+json">${JSON.stringify(node)}</script>${more}</body></html>`;
}
