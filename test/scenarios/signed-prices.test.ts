import { describe, expect } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { covers, scenario } from '../kit/scenario.ts';
import { useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const scene = await useScene();
const store = await scene.store('shop.example');
const PRICE = { amount: '24.90', currency: 'EUR', includesTax: true };
const kettle = await store.product('kettle', {
  price: PRICE,
  attributes: [{ name: 'price', value: 'on request' }],
});
const today = new Date().toISOString().slice(0, 10);

/** The additional properties of a certificate that are about its price. */
const priceOf = (certificate: Record<string, unknown>) =>
  (certificate.additionalProperty as { name: string; value: string }[])
    .filter(({ name }) => /price|tax/i.test(name))
    .map(({ name, value }) => [name, value]);

/** A page with the certificate that asks a price. */
const pageAsking = (certificate: unknown, price: string) =>
  productPage(certificate, {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'The kettle',
    offers: { '@type': 'Offer', price, priceCurrency: 'EUR' },
  });

describe('a store that signs prices', () => {
  scenario(
    'has them in its certificates with their day, from when it asks for it until it no longer does',
    covers('PV-SIGNED-PRICE'),
    async () => {
      expect(priceOf(await scene.certificate(kettle.id))).toEqual([['price', 'on request']]);
      await scene.operate('PATCH', `/stores/${store.id}`, { signPrices: true });
      expect(priceOf(await scene.certificate(kettle.id))).toEqual([
        ['price', '24.90'],
        ['priceCurrency', 'EUR'],
        ['priceSince', today],
        ['valueAddedTaxIncluded', 'true'],
      ]);
      await scene.operate('PATCH', `/stores/${store.id}`, { signPrices: false });
      expect(priceOf(await scene.certificate(kettle.id))).toEqual([['price', 'on request']]);
    },
  );

  scenario(
    'has whoever checks a page that asks another price told so, by service and command line; the verdict stays',
    covers('PV-SIGNED-PRICE'),
    async () => {
      await scene.operate('PATCH', `/stores/${store.id}`, { signPrices: true });
      const pot = await store.product('pot', { price: PRICE, name: 'The kettle' });
      scene.shop.put(kettle.url, pageAsking(await scene.certificate(kettle.id), '24.90'));
      scene.shop.put(pot.url, pageAsking(await scene.certificate(pot.id), '39.90'));
      const same = await scene.checkPage(kettle.url);
      expect(same.warnings).toEqual([]);
      const other = await scene.checkPage(pot.url);
      expect(other.warnings).toEqual([
        expect.stringMatching(
          new RegExp(`^signed_price_differs: .*: signed 24\\.90 EUR on ${today}, asked 39\\.90 EUR$`),
        ),
      ]);
      expect([other.verdict, other.conclusion, (other.mc4p as { checks: object }).checks]).toEqual([
        same.verdict,
        same.conclusion,
        (same.mc4p as { checks: object }).checks,
      ]);
      const checked = await runCli(['check', pot.url, '--service', scene.service.url]);
      expect(checked.out).toContain('signed_price_differs');
    },
  );
});
