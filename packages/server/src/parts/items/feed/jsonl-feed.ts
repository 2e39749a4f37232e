import { type FeedAbout, type FeedWriter, priceText } from './feed-format.ts';

/** An item per line, by the names of Google's attributes. Only an update has lines that are no items. */
export function jsonlFeed({ isUpdate }: FeedAbout): FeedWriter {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  return {
    mediaType: 'application/x-ndjson',
    begin: () => '',
    product: ({ id, name, url, sku, gtin, brand, mpn, images, price, availability, certificate, cursor }) => {
      const [image, ...more] = images.map(({ contentUrl }) => contentUrl);
      return line({
        id,
        title: name,
        link: url,
        brand,
        gtin,
        sku,
        mpn,
        image_link: image,
        additional_image_link: more.length > 0 ? more : undefined,
        price: price && priceText(price),
        availability,
        'svc:certificate': certificate,
        'svc:cursor': cursor,
      });
    },
    withdrawn: line,
    end: (end) => (isUpdate ? line({ status: 'end', ...end }) : ''),
  };
}
