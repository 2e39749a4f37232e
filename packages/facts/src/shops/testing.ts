import { readPage } from '../testing.ts';

/** What a page is expected to state; `null` for what it does not. */
export interface Expected {
  readonly name?: string | null;
  readonly price?: string | null;
  readonly currency?: string | null;
  readonly availability?: string | null;
  readonly sku?: string | null;
  readonly brand?: string | null;
  readonly platform?: string;
}

/** Values of a page's facts, and its platform. */
export function valuesOf(html: string | Uint8Array, url: string): Required<Expected> {
  const { facts, platform_detected: platform } = readPage(html, { url });
  const { name, price, currency, availability, sku, brand } = facts;
  return {
    name: name?.value ?? null,
    // shops write 12.5, 12.50 and 12.500 for one amount
    price: price === null ? null : String(Number(price.value)),
    currency: currency?.value ?? null,
    availability: availability?.value ?? null,
    sku: sku?.value ?? null,
    brand: brand?.value ?? null,
    platform,
  };
}

export const jsonLd = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

/** The structured data of the product “Copper lamp”. */
export const lampData = (product: object): string =>
  jsonLd({ '@type': 'Product', name: 'Copper lamp', ...product });

/** A shop's page around a product: navigation with a cart, footer with a threshold for free delivery. */
export function shopPage(parts: {
  readonly title: string;
  readonly body: string;
  readonly lang?: string;
  readonly head?: string;
  readonly bodyClass?: string;
}): string {
  const { title, body, lang = 'en', head = '', bodyClass = '' } = parts;
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>${head}</head>
<body class="${bodyClass}"><header><a href="/" class="header__heading-link"><img src="/logo.png" alt="Lumen"></a>
<nav><ul><li><a href="/c/lamps">Lamps</a></li><li><a href="/c/sale">Sale</a></li></ul></nav>
<a href="/cart" class="cart-link">Cart <span class="cart-total">0.00</span></a></header>
<main>${body}</main><footer><p>Free delivery from 50.00</p><a href="/terms">Terms</a></footer></body></html>`;
}
