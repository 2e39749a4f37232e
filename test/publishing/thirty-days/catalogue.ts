import { type Assortment, createAssortment, type Item } from '../../support/assortment.ts';
import type { World } from './world.ts';

/** A shop's products: what its owner does each day, told to the service when it can be reached. */
export interface Catalogue extends Omit<Assortment, 'takeChanges'> {
  readonly host: string;
  /** Tells the service what changed since it was last told. */
  send(storeId: string): Promise<void>;
}

export function createCatalogue(world: World, host: string, count: number): Catalogue {
  const { takeChanges, ...assortment } = createAssortment(count);
  const ids = new Map<string, string>();
  return {
    ...assortment,
    host,
    async send(storeId) {
      if (!world.isUp()) return;
      const { present, gone } = takeChanges();
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
      for (const externalId of gone) {
        const id = ids.get(externalId);
        if (id !== undefined) await world.operate('DELETE', `/products/${id}`);
      }
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
