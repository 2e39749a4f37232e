import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../support/imports.ts';
import { openScene, type Scene } from '../support/service.ts';
import { productPage } from '../support/shop.ts';

const run = promisify(execFile);
const COPY = 'http://copy.example/products/kettle';
let scene: Scene;
let url: string;

beforeAll(async () => {
  scene = await openScene();
  const store = await scene.store('shop.example');
  const product = await store.product('kettle');
  url = product.url;
  const offer = { '@type': 'Product', name: 'Kettle', offers: { '@type': 'Offer', price: '39.00' } };
  const page = productPage(await scene.certificate(product.id), {
    '@context': 'https://schema.org',
    ...offer,
  });
  scene.shop.put(url, page);
  scene.shop.put(COPY, page);
});
afterAll(() => scene.close());

it('examples/agent.ts buys from the certified page and rejects the copy', async () => {
  const args = [join(ROOT, 'examples/agent.ts'), `${scene.service.url}/mcp`, url, COPY];
  const { stdout } = await run(process.execPath, args);
  const [bought, left] = stdout.trim().split('\n');
  expect(bought).toBe(`${url}: buy "Kettle" at "39.00"`);
  expect(left).toMatch(
    /^http:\/\/copy\.example\/products\/kettle: leave it: checks_failed \("domain_differs: /,
  );
});
