import type { DemoProduct } from './products.ts';

/** Input of a page. */
export interface PageContent {
  readonly product: DemoProduct;
  /** What the page sells in its place on the screen, while its data still names the product. */
  readonly sells?: { readonly name: string; readonly price: string };
  /** Origin of the host that serves the page, without a trailing slash. */
  readonly origin: string;
  /** The certificate node of the page, if any. */
  readonly certificate: unknown;
  /** Base address of the service that provides the badge. */
  readonly service: string;
}

/** The product page as a shop theme renders it: the shop's JSON-LD, the certificate in a separate block, and the badge. */
export function productPage({ product, sells = product, origin, certificate, service }: PageContent): string {
  const { handle, name, price, availability, text } = product;
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
    description: text,
    sku: handle.toUpperCase(),
    brand: { '@type': 'Brand', name: 'Demo Workshop' },
    image: pictureNames(product).map((file) => `${origin}/pictures/${file}`),
    offers,
  };
  const isThere = availability === 'InStock';
  const pictures = pictureNames(product).map(
    (file, index) =>
      `<img src="/pictures/${file}" width="360" height="360" alt="${index === 0 ? name : ''}"${index === 0 ? '' : ' loading="lazy"'}>`,
  );
  return layout(
    sells.name,
    `<link rel="canonical" href="${origin}/products/${handle}">
    ${jsonLd(shopOwn)}${certificate === undefined ? '' : jsonLd(certificate)}${badgeScript(service)}`,
    `<p class="path"><a href="/">All things</a></p>
      <div class="product">
        <div class="pictures">${pictures.join('')}</div>
        <div>
          <h1>${sells.name}</h1>
          <p class="price">€${sells.price}</p>
          <p class="stock">${isThere ? 'In stock' : 'Sold out'}</p>
          <p class="words">${text}</p>
          <button class="buy" type="button"${isThere ? '' : ' disabled'}>${isThere ? 'Put into the basket' : 'Back in three weeks'}</button>
          <div class="badge">${badge(service)}</div>
          <dl><dt>Made by</dt><dd>Demo Workshop</dd><dt>Article</dt><dd>${handle.toUpperCase()}</dd></dl>
        </div>
      </div>`,
  );
}

/** Content of a shop's front page. */
interface Shelf {
  readonly products: readonly DemoProduct[];
  /** Certificates of the pages it links to; the badges on a list verify those. */
  readonly certificates: readonly unknown[];
  readonly service: string;
}

export function shopFront({ products, certificates, service }: Shelf): string {
  const items = products.map(
    (product, index) => `<li><a href="/products/${product.handle}">
          <img src="/pictures/${pictureNames(product)[0]}" width="360" height="360" alt=""${index < 4 ? '' : ' loading="lazy"'}>
          <h2>${product.name}</h2></a>
          <p>€${product.price}</p>
          ${badge(service, `/products/${product.handle}`)}</li>`,
  );
  return layout(
    'The demo shop',
    certificates.map(jsonLd).join('') + badgeScript(service),
    `<h1>Made slowly, used daily</h1>
      <p class="lead">Stoneware, wood, iron and wax for the table and the shelf. Every page here has a story: most carry a sound certificate, some do not.</p>
      <ul class="shelf">
        ${items.join('\n        ')}
      </ul>`,
  );
}

/** The badge as a theme renders it (docs/guides/embedding.md); on a list with the link of its product. */
function badge(service: string, link?: string): string {
  const [attributes, width, height] =
    link === undefined ? ['', 208, 44] : [` size="small" for="${link}"`, 180, 36];
  return `<product-certificate${attributes}><a href="${service}/check" rel="noopener nofollow"><img src="${service}/badge.svg" width="${width}" height="${height}" alt="Check this page"></a></product-certificate>`;
}

function badgeScript(service: string): string {
  return `<script type="module" src="${service}/badge.js?v=1"></script>\n`;
}

/** A strict content security policy of a shop, with what the badge needs of the service. */
export function shopPolicy(service: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${service}`,
    `connect-src 'self' ${service}`,
    `img-src 'self' ${service}`,
    "object-src 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

/** A minimal page of a product that carries this JSON as its certificate. */
export function shelfPage(certificate: string, name: string, service: string): string {
  const block = `<script type="application/ld+json">${certificate.replaceAll('<', '\\u003c')}</script>`;
  return layout(
    name,
    `${block}${badgeScript(service)}`,
    `<h1>${name}</h1><div class="badge">${badge(service)}</div>`,
  );
}

/** The page that a password-protected storefront shows to the public. */
export function passwordPage(): string {
  return layout(
    'Opening soon',
    '',
    `<form method="post" action="/password" id="login_form" class="gate storefront-password-form">
      <h1>Opening soon</h1>
      <input type="hidden" name="form_type" value="storefront_password">
      <label>Enter using password <input type="password" name="password"></label>
      <button>Enter</button>
    </form>`,
  );
}

export function notFoundPage(): string {
  return layout('Not found', '', '<h1>Not found</h1><p class="lead">This page was taken down.</p>');
}

export function pictureNames({ handle, pictures }: DemoProduct): string[] {
  return Array.from({ length: pictures }, (_, i) => `${handle}-${i + 1}.jpg`);
}

/** `<` is escaped, so that no value can close the script element. */
function jsonLd(node: unknown): string {
  return `<script type="application/ld+json">${JSON.stringify(node).replaceAll('<', '\\u003c')}</script>\n`;
}

function layout(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="/pictures/cup-1.jpg">
    <link rel="stylesheet" href="/shop.css">
    ${head}
  </head>
  <body>
    <header class="masthead"><div class="wide"><a class="name" href="/">The demo shop</a><span>Stoneware, wood &amp; light</span></div></header>
    <main class="wide">
      ${body}
    </main>
    <footer><div class="wide">A shop that exists on this machine only.</div></footer>
  </body>
</html>
`;
}
