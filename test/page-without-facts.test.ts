import { createKeySet, verify } from '@touchstone/certificate/verify';
import { readFacts } from '@touchstone/facts';
import { checkPage, type ReadFacts } from '@touchstone/page';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadVectors, type PageVector } from './kit/vectors.ts';

const vectors = loadVectors().flatMap(({ jwks, vectors: all }) =>
  all.flatMap((vector) =>
    vector.kind === 'page' && vector.input.html !== undefined && vector.jwksByIssuer === undefined
      ? [{ vector, html: vector.input.html, jwks: jwks[vector.jwks] }]
      : [],
  ),
);

/** What only the reader of facts finds. A list of certified products is told only if it was read that the page states none of its own. */
const OF_FACTS =
  /^(?:certified_product_list|claims_not_proven|fact_inferred|fact_unread|facts_disagree|graph_capped|image_address_too_long|price_\w+|reading_stopped|several_products|soft_not_found|consent_wall|text_garbled|variants_disagree):/;

/** All that is said about a page and its certificates. */
async function judged(
  { vector, jwks }: { readonly vector: PageVector; readonly jwks: unknown },
  html: string,
  facts: ReadFacts | undefined,
) {
  const { baseUrls, issuers, products, now: time } = vector.context;
  const [now, keySet] = [new Date(time), createKeySet(jwks)];
  const { contentType, finalUrl } = vector.input;
  const { observation, verdict, nodes, report } = await checkPage(vector.input.url, {
    fetch: async () => ({ kind: 'page', status: 200, finalUrl, contentType, body: html }) as const,
    readFacts: facts,
    namespaceUrl: `${baseUrls[0]}/ns#`,
    fetchedAt: now,
    baseUrls,
    knownProduct: async (productId) => products[productId],
    verifyProduct: async (productId, { document, pageUrl }) => {
      const registry = products[productId];
      if (registry === undefined) return null;
      return verify({ document, pageUrl, productId, keySet, issuers, now, registry });
    },
  });
  const { facts: _, agreement: __, conclusion: ___, claims: _____, mc4p, findings, ...told } = report;
  const { list: ____, ...certificate } = mc4p;
  return {
    ...told,
    mc4p: certificate,
    findings: findings.filter((finding) => !OF_FACTS.test(finding)),
    nodes,
    decidedBy: verdict.decidedBy,
    gate: observation.outcome.kind === 'page' ? observation.outcome.reading.gate : undefined,
  };
}

it('the verdict on a page of the vectors, its certificates, gate and findings are the same with and without facts', async () => {
  expect(vectors.length).toBeGreaterThan(80);
  for (const one of vectors) {
    const without = await judged(one, one.html, undefined);
    expect(without, one.vector.id).toEqual(await judged(one, one.html, readFacts));
    expect(without.verdict, one.vector.id).toBe(one.vector.expect.verdict);
  }
});

/** What pages contain that says whether they are product pages, gates or lists. */
const FRAGMENTS = [
  '<script type="application/ld+json">{"@type":"Product","name":"Enamel kettle","offers":{"price":"39.00"}}</script>',
  '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Kettle</b></div>',
  '<meta property="og:type" content="product"><meta property="product:price:amount" content="39.00">',
  '<script>window.Shopify={};Shopify.shop="x.myshopify.com"</script><form action="/password"><input type="password"></form>',
  '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>',
  '<h1>Coming soon</h1>',
  '<h1>Enamel kettle</h1><p class="price">39,00 €</p><button>Add to cart</button>',
  '<a href="/products/cup">Cup</a> <span class="price">€5.00</span>'.repeat(4),
  '<link rel="canonical" href="/products/kettle">',
  '<base href="https://other.example/">',
  '<script type="application/ld+json">{"@type":',
  '<!--',
  '</script>',
];

const edit = fc.record({
  kind: fc.constantFrom('insert', 'remove', 'repeat', 'cut'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(400),
  fragment: fc.constantFrom(...FRAGMENTS),
});

it('a page changed at random is judged the same with and without facts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...vectors.filter(({ html }) => html.length < 20_000)),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      async (one, edits) => {
        const html = edits.reduce((text, { kind, at, length, fragment }) => {
          const start = Math.floor(at * text.length);
          const part = text.slice(start, start + length);
          const rest = text.slice(start + length);
          if (kind === 'cut') return text.slice(0, start);
          if (kind === 'remove') return text.slice(0, start) + rest;
          if (kind === 'repeat') return text.slice(0, start) + part + part + rest;
          return text.slice(0, start) + fragment + text.slice(start);
        }, one.html);
        expect(await judged(one, html, undefined)).toEqual(await judged(one, html, readFacts));
      },
    ),
    { numRuns: 300 },
  );
});
