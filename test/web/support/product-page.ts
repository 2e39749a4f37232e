import { certificateScript } from '@touchstone/certificate/embed';

/** A product page of a shop, with or without a certificate. */
export function htmlWith(certificate: object | null, further = ''): string {
  const script = certificate === null ? '' : certificateScript(certificate);
  return `<!doctype html><html lang="en"><head><title>The cup</title>
<script type="application/ld+json">${PRODUCT}</script>
${script}${further}</head><body><h1>The cup</h1><p>A cup of stone ware.</p></body></html>`;
}

const PRODUCT = JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'The cup',
  description: 'A cup of stone ware, holds 30 cl.',
  brand: { '@type': 'Brand', name: 'Potter' },
  sku: 'CUP-30',
  image: ['http://shop.example/images/cup-front.jpg', 'http://shop.example/images/cup-back.jpg'],
  offers: {
    '@type': 'Offer',
    price: '19.90',
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
  },
});
