import { type Assortment, createAssortment, type Item } from '../../kit/assortment.ts';
import type { World } from './world.ts';

/** A shop's products: the owner's daily changes, sent to the service when it is reachable. */
export interface Catalogue extends Omit<Assortment, 'takeChanges'> {
  readonly host: string;
  /** Sends the changes since the last time to the service. */
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

/** The shop's page of a product, with the shop's own structured data. */
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
