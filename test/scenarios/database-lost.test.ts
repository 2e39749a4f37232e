import { expect } from 'vitest';
import { testDatabase } from '../../packages/server/src/platform/database/testing.ts';
import { testService, throughProxy } from '../../packages/server/src/testing.ts';
import { covers } from '../kit/citations.ts';
import { openStore, operate, putProducts } from '../kit/registry.ts';
import { scenario } from '../kit/scenario.ts';
import type { Json } from '../kit/service.ts';

const URL = 'https://shop.example/products/cup';

scenario(
  'a node that loses its database answers what was fresh, marked, and nothing else',
  covers('REGISTRY-STALE'),
  async () => {
    const database = await testDatabase();
    const proxy = await throughProxy(database);
    // longer than any test
    const service = await testService({
      databaseUrl: proxy.url,
      settings: { TOUCHSTONE_STALE_SECONDS: '300' },
    });
    const { id: storeId } = await openStore(service, 'https://shop.example');
    const rows = ['cup', 'jug'].map((name) => ({
      externalProductId: name,
      name,
      url: `https://shop.example/products/${name}`,
    }));
    const [cup = '', jug = ''] = await putProducts(service, storeId, rows);
    const ask = (path: string, body?: Json) =>
      fetch(`${service.url}/api/v1/mc4p/products/${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json' },
      });
    const document = (await (await ask(`${cup}/certificate`)).json()) as Json;
    const verify = async () =>
      (await (await ask(`${cup}/verify`, { productUrl: URL, document })).json()) as { warnings: string[] };
    const isMarked = ({ warnings }: { warnings: string[] }) =>
      warnings.some((warning) => warning.startsWith('registry_stale: '));
    const answersFromMemory = async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      return Number(/certificate_answers_total\{.*from="memory".*\} (\d+)/.exec(metrics)?.[1] ?? 0);
    };
    const isFromMemory = async () => {
      const before = await answersFromMemory();
      await Promise.all([verify(), ask(`${cup}/certificate`)]);
      return (await answersFromMemory()) > before;
    };
    expect(isMarked(await verify())).toBe(false);
    // what was read while a change was announced is not kept
    await expect.poll(isFromMemory).toBe(true);

    proxy.cut();
    await expect.poll(async () => isMarked(await verify())).toBe(true);
    expect(await verify()).toMatchObject({ status: 'verified' });
    const kept = await ask(`${cup}/certificate`);
    expect([kept.status, kept.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
    expect(await kept.json()).toEqual(document);
    const unread = await ask(`${jug}/certificate`);
    expect([unread.status, unread.headers.get('cache-control')]).toEqual([503, 'no-store']);
    await expect(operate(service, 'PATCH', `/products/${cup}`, { visible: false })).rejects.toThrow('503');

    await proxy.restore();
    await expect.poll(async () => isMarked(await verify())).toBe(false);
    expect((await ask(`${jug}/certificate`)).status).toBe(200);
    await service.dispose();
    await proxy.close();
    await database.close();
  },
);
