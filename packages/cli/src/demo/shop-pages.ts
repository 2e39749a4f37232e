import type { DemoProduct } from './scenes.ts';

/** What a page needs to be written. */
export interface PageContent {
  readonly product: DemoProduct;
  /** Address of the host that serves the page, without a trailing slash. */
  readonly origin: string;
  /** The certificate node to carry, if any. */
  readonly certificate: unknown;
}

/** The product page as a shop theme writes it: its own JSON-LD, and the certificate in a block beside it. */
export function productPage({ product, origin, certificate }: PageContent): string {
  const { handle, name, price, availability } = product;
  const offers = {
    '@type': 'Offer',
    price,
    priceCurrency: 'EUR',
    availability: `https://schema.org/${availability}`,
    url: `${origin}/products/${handle}`,
  };
  const shopOwn = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    description: `${name}, made by hand in the demo workshop.`,
    sku: handle.toUpperCase(),
    brand: { '@type': 'Brand', name: 'Demo Workshop' },
    image: pictureNames(product).map((file) => `${origin}/pictures/${file}`),
    offers,
  };
  return layout(
    name,
    `<link rel="canonical" href="${origin}/products/${handle}">
    ${jsonLd(shopOwn)}${certificate === undefined ? '' : jsonLd(certificate)}`,
    `<p><a href="/">The demo shop</a></p>
    <h1>${name}</h1>
    <p class="price">€${price}</p>
    <p>${availability === 'InStock' ? 'In stock' : 'Sold out'}</p>
    <p>${pictureNames(product)
      .map((file) => `<img src="/pictures/${file}" width="96" height="96" alt="${name}">`)
      .join(' ')}</p>`,
  );
}

export function shopFront(products: readonly DemoProduct[]): string {
  const items = products.map(({ handle, name }) => `<li><a href="/products/${handle}">${name}</a></li>`);
  return layout('The demo shop', '', `<h1>The demo shop</h1><ul>${items.join('')}</ul>`);
}

/** A bare page that carries this JSON as its certificate. */
export function shelfPage(certificate: string): string {
  const block = `<script type="application/ld+json">${certificate.replaceAll('<', '\\u003c')}</script>`;
  return layout('On the shelf', block, '<h1>On the shelf</h1>');
}

/** What a storefront shows to those who do not know its password. */
export function passwordPage(): string {
  return layout(
    'Opening soon',
    '',
    `<h1>Opening soon</h1>
    <form method="post" action="/password" id="login_form" class="storefront-password-form">
      <input type="hidden" name="form_type" value="storefront_password">
      <label>Enter using password <input type="password" name="password"></label>
      <button>Enter</button>
    </form>`,
  );
}

export function pictureNames({ handle, pictures }: DemoProduct): string[] {
  return Array.from({ length: pictures }, (_, i) => `${handle}-${i + 1}.png`);
}

/** `<` is escaped, so that no value can end the block. */
function jsonLd(node: unknown): string {
  return `<script type="application/ld+json">${JSON.stringify(node).replaceAll('<', '\\u003c')}</script>\n`;
}

function layout(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title}</title>
    <style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }</style>
    ${head}
  </head>
  <body>
    ${body}
  </body>
</html>
`;
}
