import { toMinorUnits, ucpNames } from '@touchstone/catalogue';
import { UCP_VERSION } from '@touchstone/contract';
import type { FeedAbout, FeedWriter } from './feed-format.ts';
import type { FeedProduct } from './feed-product.ts';

/** Products to remove that are told in one answer, which are in memory until its end. */
const MAX_WITHDRAWN = 10_000;

/** A catalog response of UCP: `products`, each with its certificate in `metadata`. A product without a price cannot be stated. */
export function ucpFeed({ baseUrl, isUpdate }: FeedAbout): FeedWriter {
  const key = ucpNames(baseUrl).name ?? 'certificate';
  const withdrawn: object[] = [];
  let products = 0;
  let unpriced = 0;
  return {
    mediaType: 'application/json',
    begin: () => `{"ucp":${JSON.stringify({ version: UCP_VERSION })},"products":[`,
    product(product) {
      const stated = productOf(product, key);
      if (stated === undefined) {
        unpriced++;
        return '';
      }
      products++;
      return `${products === 1 ? '' : ','}\n${JSON.stringify(stated)}`;
    },
    withdrawn({ externalProductId: id, productId, url, state }) {
      withdrawn.push({ id, productId, url, state });
      return '';
    },
    end({ status, cursor }) {
      const pagination = { cursor, has_next_page: status === undefined };
      const content = `${unpriced} ${unpriced === 1 ? 'product has' : 'products have'} no price that can be stated in minor units, and ${unpriced === 1 ? 'is' : 'are'} left out.`;
      const rest = {
        pagination,
        ...(unpriced === 0 ? {} : { messages: [{ type: 'info', content }] }),
        ...(isUpdate ? { [key.replace(/certificate$/, 'withdrawn')]: withdrawn } : {}),
      };
      return `\n],${JSON.stringify(rest).slice(1)}\n`;
    },
    get isFull() {
      return withdrawn.length >= MAX_WITHDRAWN;
    },
  };
}

function productOf(
  { id, name, url, sku, gtin, images, price, availability, certificate }: FeedProduct,
  key: string,
): object | undefined {
  const amount = price && toMinorUnits(price.amount, price.currency);
  if (price === undefined || amount === undefined) return undefined;
  const stated = { amount, currency: price.currency };
  // required, and not known here
  const description = { plain: '' };
  return {
    id,
    title: name,
    description,
    url,
    price_range: { min: stated, max: stated },
    media: images.map(({ contentUrl, width, height }) => ({ type: 'image', url: contentUrl, width, height })),
    variants: [
      {
        id,
        sku,
        barcodes: gtin === undefined ? undefined : [{ type: 'GTIN', value: gtin }],
        title: name,
        description,
        url,
        price: stated,
        availability: availability && { available: availability !== 'out_of_stock', status: availability },
      },
    ],
    metadata: { [key]: certificate },
  };
}
