import { expect } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { covers, scenario } from '../kit/scenario.ts';
import { type Json, useScene } from '../kit/service.ts';
import { useToolClients } from '../kit/tools.ts';

const LIST = 'http://shop.example/collections/kitchen';

const scene = await useScene();
const store = await scene.store('shop.example');
const products = await Promise.all(['kettle', 'teapot', 'stockpot'].map((name) => store.product(name)));
const clients = await useToolClients(scene.service.url);

async function listPage(): Promise<string> {
  const blocks = await Promise.all(
    products.map(async ({ id }) => {
      const certificate = JSON.stringify(await scene.certificate(id));
      return `<script type="application/ld+json">${certificate}</script>`;
    }),
  );
  const cards = products.map(
    ({ url }) => `<li><a href="${url}"><h3>${url}</h3></a><b class="price">9.00 EUR</b></li>`,
  );
  return `<!doctype html><html lang="en"><head><title>Kitchen</title>${blocks.join('')}</head><body><main><h1>Kitchen</h1><ul>${cards.join('')}</ul></main></body></html>`;
}

scenario(
  'A list of certified products leads to them through every transport, in signed values that tools mark as untrusted; it is no success',
  covers('PV-LIST', 'CONCLUSION'),
  async () => {
    scene.shop.put(LIST, await listPage());
    const report = await scene.checkPage(LIST);
    const list = products.map(({ id, url }) => ({
      product_id: id,
      url,
      name: `The ${url.split('/').at(-1)}`,
    }));
    expect(report).toMatchObject({
      verdict: 'checks_failed',
      conclusion: { level: 'none', code: 'product_list' },
      mc4p: { list },
    });
    const service = scene.service.url;
    const asJson = await runCli(['check', LIST, '--json', '--service', service]);
    expect([asJson.code, (asJson.json().mc4p as Json).list]).toEqual([1, list]);
    const { out } = await runCli(['check', LIST, '--service', service]);
    for (const { url, name } of list) expect(out).toContain(`${name}: ${url}`);
    for (const { client } of clients) {
      const { structuredContent } = await client.callTool({
        name: 'check_product_page',
        arguments: { url: LIST },
      });
      const { mc4p, conclusion, untrusted } = structuredContent as Json & { mc4p: Json };
      expect([mc4p.list, untrusted]).toEqual([list, expect.arrayContaining(['mc4p.list'])]);
      expect(conclusion).toEqual(report.conclusion);
    }
  },
);

scenario('A copy of the list on another host is a copy', covers('PV-LIST', 'CONCLUSION'), async () => {
  const copy = LIST.replace('shop.', 'copy.');
  scene.shop.put(copy, await listPage());
  expect(await scene.checkPage(copy)).toMatchObject({
    verdict: 'checks_failed',
    conclusion: { level: 'bad', code: 'another_host' },
  });
});
