import { certificateJson } from '@touchstone/certificate/embed';
import { type FeedAbout, type FeedWriter, priceText } from './feed-format.ts';
import type { FeedProduct } from './feed-product.ts';

/** Pictures beside the first one that Google accepts. */
const MAX_MORE_IMAGES = 10;

/** RSS 2.0 with Google's product attributes; what is ours stands in the namespace of this service. */
export function googleFeed({ store, namespaceUrl, isUpdate }: FeedAbout): FeedWriter {
  return {
    mediaType: 'application/xml; charset=utf-8',
    begin: () =>
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0" xmlns:svc="${xml(namespaceUrl)}">`,
        `<channel><title>${xml(store.name)}</title><link>${xml(store.url)}</link><description>${isUpdate ? 'Changed products' : 'Products'} with their certificates</description>`,
        '',
      ].join('\n'),
    product: (product) =>
      `<item>${attributesOf(product)}<svc:certificate>${certificateJson(product.certificate)}</svc:certificate></item>\n`,
    withdrawn: ({ externalProductId, productId, url, state }) =>
      `<svc:withdrawn id="${xml(externalProductId)}" productId="${productId}" url="${xml(url)}" state="${state}"/>\n`,
    end: (end) =>
      `<svc:end ${Object.entries(end)
        .flatMap(([name, value]) => (name === 'status' ? [] : [`${name}="${value}"`]))
        .join(' ')}/>\n</channel></rss>\n`,
  };
}

function attributesOf({ id, name, url, gtin, brand, mpn, images, price, availability }: FeedProduct): string {
  const [image, ...more] = images.map(({ contentUrl }) => contentUrl);
  const attributes: readonly (readonly [string, string | undefined])[] = [
    ['id', id],
    ['title', name],
    ['link', url],
    ['image_link', image],
    ...more.slice(0, MAX_MORE_IMAGES).map((one) => ['additional_image_link', one] as const),
    ['price', price && priceText(price)],
    ['availability', availability],
    ['brand', brand],
    ['gtin', gtin],
    ['mpn', mpn],
  ];
  return attributes
    .map(([attribute, value]) =>
      value === undefined ? '' : `<g:${attribute}>${xml(value)}</g:${attribute}>`,
    )
    .join('');
}

/** Text in XML 1.0; characters that it cannot contain are left out. */
function xml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (char) => (/[\t\n\r]/.test(char) ? char : ''))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
