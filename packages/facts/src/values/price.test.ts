import { describe, expect, it } from 'vitest';
import { currencyOf, localeOf } from './currency.ts';
import { parsePrice } from './price.ts';

describe('parsePrice', () => {
  it.each([
    ['1.299,00 €', '1299.00', '€'],
    ['₹ 4,649', '4649', '₹'],
    ["CHF 1'049.95", '1049.95', 'CHF'],
    ['12 590 Kč', '12590', 'Kč'],
    ['US$1,234,567.8', '1234567.8', 'US$'],
    ['NZD $100.70', '100.70', 'NZD'],
    ['49,- Kč', '49', 'Kč'],
    ['0,75 zł', '0.75', 'zł'],
    ['2 x 4.50 €', '4.50', '€'],
    ['From 26 to 50 €', '26', '€'],
    ['1250€ 60', '1250.60', '€'],
    ['34.992001', '34.992001', undefined],
    ['129.900', '129900', undefined],
  ])('reads %s', (text, amount, mark) => {
    expect(parsePrice(text)).toEqual(mark === undefined ? { amount } : { amount, mark });
  });

  it.each(['Ask us', '40% off', '15.08.2017', 'July, 2004', '16 cm', '25-09'])(
    'finds no price in %s',
    (text) => {
      expect(parsePrice(text)).toBeUndefined();
    },
  );

  it('prefers the currency printed with the price to any hint', () => {
    expect(parsePrice('£5', 'EUR')?.mark).toBe('£');
    expect(parsePrice('5', 'Price in EUR')?.mark).toBe('EUR');
  });

  it('stays fast on hostile lines', () => {
    const before = process.threadCpuUsage();
    for (const text of ['1'.repeat(100_000), '1.'.repeat(50_000), '$'.repeat(100_000), ' 1'.repeat(50_000)])
      parsePrice(text);
    expect(process.threadCpuUsage(before).user).toBeLessThan(500_000);
  });
});

describe('currencyOf', () => {
  it('resolves a sign of several currencies by the country', () => {
    expect(currencyOf('$', localeOf('www.shop.ca', 'en'))).toEqual({ iso: 'CAD', guessed: false });
    expect(currencyOf('kr', localeOf('shop.example', 'nb-NO'))).toEqual({ iso: 'NOK', guessed: false });
    expect(currencyOf('Rs', localeOf('www.shop.com.pk', undefined))).toEqual({ iso: 'PKR', guessed: false });
    expect(currencyOf('$', localeOf('shop.com', undefined))).toEqual({ iso: 'USD', guessed: true });
  });

  it('accepts codes in any case, and refuses anything that is not a currency', () => {
    expect(currencyOf(' eur ', { countries: [] })?.iso).toBe('EUR');
    expect(currencyOf('RUR', { countries: [] })?.iso).toBe('RUB');
    expect(currencyOf('XYZ', { countries: [] })).toBeUndefined();
    expect(currencyOf('BTC', { countries: [] })).toBeUndefined();
  });
});
