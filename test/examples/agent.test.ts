import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../kit/imports.ts';
import { httpServer } from '../kit/servers.ts';
import { useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const run = promisify(execFile);
const COPY = 'http://copy.example/products/kettle';

const scene = await useScene();
const kettle = await (await scene.store('shop.example')).product('kettle');
const { url } = kettle;
const offer = { '@type': 'Product', name: 'The kettle', offers: { '@type': 'Offer', price: '39.00' } };
const page = productPage(await scene.certificate(kettle.id), {
  '@context': 'https://schema.org',
  ...offer,
});
scene.shop.put(url, page);
scene.shop.put(COPY, page);

it('examples/agent.ts buys from the certified page and rejects the copy', async () => {
  const args = [join(ROOT, 'examples/agent.ts'), `${scene.service.url}/mcp`, url, COPY];
  const { stdout } = await run(process.execPath, args);
  const [bought, left] = stdout.trim().split('\n');
  expect(bought).toBe(`${url}: buy "The kettle" at "39.00"`);
  expect(left).toMatch(
    /^http:\/\/copy\.example\/products\/kettle: leave it: another_host \(Signed for shop\.example, /,
  );
});

it('examples/agent.ts buys at none of the three cheats that have or had a genuine certificate', async () => {
  // anybody may have a certificate for a host of which nobody has shown who runs it
  const anybody = await scene.store('unproven.example', { proven: false });
  const cup = await anybody.product('cup');
  const certificate = await scene.certificate(cup.id);
  const withCertificate = (node: unknown, html: string) =>
    `<script type="application/ld+json">${JSON.stringify(node)}</script>${html}`;
  scene.shop.put(cup.url, withCertificate(certificate, '<h1>cup</h1>'));
  // a genuine certificate beside other goods
  const store = await scene.store('other.example');
  const pot = await store.product('pot', { name: 'Pot number 6' });
  const watch = '<title>Rolex Submariner, 18k gold</title><h1>Rolex Submariner, 18k gold</h1><p>9999 EUR</p>';
  scene.shop.put(pot.url, withCertificate(await scene.certificate(pot.id), watch));
  // a copy without the certificate
  const stripped = 'http://copy.example/products/stripped';
  scene.shop.put(stripped, '<h1>Kettle</h1>');
  const pages = [cup.url, pot.url, stripped];
  const args = [join(ROOT, 'examples/agent.ts'), `${scene.service.url}/mcp`, ...pages];
  const { stdout } = await run(process.execPath, args);
  expect(stdout.trim().split('\n')).toEqual([
    `${cup.url}: leave it: control_unproven (Signed for unproven.example, but nobody has shown who runs it.)`,
    `${pot.url}: leave it: page_differs (Signed for other.example and this page, but not for the product that the page shows.)`,
    `${stripped}: leave it: no_certificate (This page carries no certificate, so it proves nothing about the shop or the goods.)`,
  ]);
});

/** The tool server, through somebody who changes what it says. */
function lyingServer(lie: (text: string) => string) {
  return httpServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const headers = Object.entries(request.headers).filter(([name]) =>
      /^(accept|content-type|mcp-)/.test(name),
    );
    const answer = await fetch(`${scene.service.url}/mcp`, {
      method: request.method ?? 'POST',
      headers: headers.map(([name, value]) => [name, String(value)] as [string, string]),
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const kept = [...answer.headers].filter(([name]) => /^(content-type|mcp-)/.test(name));
    response.writeHead(answer.status, Object.fromEntries(kept)).end(lie(await answer.text()));
  });
}

it.each<[string, (text: string) => string]>([
  [
    'another page',
    (text) => text.replaceAll(`"final_url":"${url}"`, '"final_url":"http://shop.example/other"'),
  ],
  ['no certificate', (text) => text.replaceAll('"present":true', '"present":false')],
  ['failed checks', (text) => text.replaceAll('"boundToUrl":true', '"boundToUrl":false')],
])('examples/agent.ts buys nothing for a verdict of %s: the service contradicts itself', async (_, lie) => {
  const server = await lyingServer(lie);
  const { stdout } = await run(process.execPath, [join(ROOT, 'examples/agent.ts'), `${server.url}/mcp`, url]);
  await server.close();
  expect(stdout).toMatch(/: leave it: the service contradicts itself \("/);
});

it('examples/agent.ts buys from the genuine shop, and at no page of a cheat', async () => {
  const store = await scene.store('lanternhill.example');
  const made = async (name: string, sku: string, gtin: string) => {
    const { id, url: at } = await store.product(sku, { name, sku, gtin });
    return { id, at, certificate: await scene.certificate(id) };
  };
  const put = (at: string, certificate: unknown, stated: object) =>
    scene.shop.put(
      at,
      productPage(certificate, {
        '@context': 'https://schema.org',
        '@type': 'Product',
        ...stated,
      }).replaceAll('The kettle', 'Lantern'),
    );
  const genuine = await made('Lantern', 'L-1', '4012345123456');
  put(genuine.at, genuine.certificate, { name: 'Lantern', sku: 'L-1', gtin: '4012345123456' });
  const elsewhere = 'http://copy.example/products/lantern';
  put(elsewhere, genuine.certificate, { name: 'Lantern', gtin: '4012345123456' });
  const altered = await made('Lantern', 'L-2', '4006381333931');
  put(altered.at, altered.certificate, { name: 'Lantern', gtin: '4012345123456' });
  const stale = await made('Lantern', 'L-3', '4006381333931');
  const signedAt = Math.floor(Date.now() / 1000) - 9 * 86_400;
  const old = await scene.signedAnew(stale.certificate, { iat: signedAt, exp: signedAt + 7 * 86_400 });
  put(stale.at, old, { name: 'Lantern' });
  const withdrawn = await made('Lantern', 'L-4', '4006381333931');
  put(withdrawn.at, withdrawn.certificate, { name: 'Lantern' });
  await scene.operate('POST', `/products/${withdrawn.id}/withdraw`, {});
  const another = await made('Lantern', 'L-5', '4006381333931');
  put(another.at, genuine.certificate, { name: 'Lantern' });
  const pages = [genuine, { at: elsewhere }, altered, stale, withdrawn, another].map(({ at }) => at);
  const args = [join(ROOT, 'examples/agent.ts'), `${scene.service.url}/mcp`, ...pages];
  const { stdout } = await run(process.execPath, args);
  const told = stdout
    .trim()
    .split('\n')
    .map((line, at) => line.slice((pages[at]?.length ?? 0) + 2));
  expect(told[0]).toBe('buy "Lantern" at nothing stated');
  expect(told.slice(1).map((line) => /^leave it: (\w+)/.exec(line)?.[1])).toEqual([
    'another_host',
    // the name agrees: a variant has a number of its own, so nobody is accused
    'page_unclear',
    'certificate_expired',
    'withdrawn',
    'another_page',
  ]);
});
