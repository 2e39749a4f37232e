import { describe, expect, it } from 'vitest';
import { readPage } from './testing.ts';

const read = (html: string) => readPage(html, { url: 'https://shop.example/products/lamp' });

describe('a page served in place of the requested one', () => {
  it.each([
    ['soft_not_found', '<title>404 Not Found | Lumen</title><h1>Oops</h1>'],
    ['soft_not_found', '<title>Lumen – Seite nicht gefunden</title><p>Im Angebot: Lampe 19,00 €</p>'],
    ['soft_not_found', '<title>Lumen</title><h1>Страница не найдена</h1>'],
    [
      'consent_wall',
      '<title>Lumen</title><h1>Before you continue</h1><p>We use cookies</p><button>Accept all</button>',
    ],
  ])('%s is a finding, and no fact is stated', (code, html) => {
    const { gate, facts, findings } = read(html);
    expect(gate).toBeNull();
    expect(findings.join()).toContain(`${code}:`);
    expect(facts.price).toBeNull();
    expect(facts.name).toBeNull();
  });

  it('is not a product page with a cookie banner and a number in its name', () => {
    const html = `<title>Lamp 404 Copper</title><h1>Lamp 404 Copper</h1><p class="price">$5.00</p><div class="cookies">Accept all cookies</div>
      <p>${'A tall lamp. '.repeat(250)}</p>`;
    const { facts, findings } = read(html);
    expect(facts.price?.value).toBe('5.00');
    expect(findings.filter((finding) => !finding.startsWith('fact_inferred:'))).toEqual([]);
  });
});
