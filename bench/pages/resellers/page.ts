import type { Offer } from './offers.ts';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * The page of an offer, as shops state products: JSON-LD with the GTIN as its article number or beside one, microdata, or Open Graph
 * alone.
 */
export function pageOf(
  { name, text = '', gtin }: Offer,
  images: readonly string[],
  template: number,
): string {
  const [title, description] = [escaped(name), escaped(text)];
  const shown = images.map((src) => `<img src="${src}" alt="">`).join('');
  const page = (head: string, main: string) =>
    `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main>${main}</main></body></html>`;
  const body = `<h1>${title}</h1><p>${description}</p>${shown}`;
  const jsonLd = (codes: object) => {
    const node = {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name,
      description: text,
      image: images,
    };
    const json = JSON.stringify({ ...node, ...codes }).replaceAll('<', '\\u003c');
    return page(`<script type="application/ld+json">${json}</script>`, body);
  };
  switch (template % 4) {
    case 0:
      return jsonLd({ sku: gtin, gtin13: gtin });
    case 1:
      return jsonLd({ gtin13: gtin });
    case 2: {
      const sku = gtin === undefined ? '' : `<meta itemprop="sku" content="${gtin}">`;
      const pictures = images.map((src) => `<img itemprop="image" src="${src}" alt="">`).join('');
      return page(
        '',
        `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">${title}</h1><p itemprop="description">${description}</p>${sku}${pictures}</div>`,
      );
    }
    default: {
      const pictures = images.map((src) => `<meta property="og:image" content="${src}">`).join('');
      return page(
        `<meta property="og:type" content="product"><meta property="og:title" content="${title}">${pictures}`,
        body,
      );
    }
  }
}
