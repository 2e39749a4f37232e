import { expect, it } from 'vitest';
import type { Asked } from './support/client.ts';
import { session } from './support/session.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
/** Maximum growth of the process in bytes after a warm-up; a leak of one body per round would exceed it. */
const LEVEL = 100_000_000;

const here = session('large bodies');

/** The most expensive accepted bodies: deeply nested, long, with very many parts. */
function dearest(): Asked[] {
  const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
  const { storeId, products } = here.world.mine;
  const url = products[0]?.url ?? '';
  const verify = (body: string): Asked => ({
    method: 'POST',
    path: `/api/v1/mc4p/products/${products[0]?.id}/verify`,
    headers: JSON_TYPE,
    body,
  });
  const rows = (body: string): Asked => ({
    method: 'PUT',
    path: `/api/v1/registry/stores/${storeId}/products`,
    headers: { ...JSON_TYPE, authorization: `Bearer ${here.world.mine.key}` },
    body,
  });
  return [
    verify(deep),
    verify(`{"productUrl":"${url}","document":${deep}}`),
    verify(JSON.stringify({ productUrl: url, document: deep })),
    verify('x'.repeat(20_000_000)),
    rows(`[${deep}]`),
    rows(`["${'y'.repeat(30_000_000)}"]`),
    rows(`[${'{"a":[1,{"b":"x"}]},'.repeat(500_000)}1]`),
  ];
}

it('leave no more memory allocated the tenth time than the first few times', async () => {
  const bodies = dearest();
  const rss: number[] = [];
  for (let round = 0; round < 10; round++) {
    for (const body of bodies) {
      const { status } = await here.ask(body);
      expect([200, 413, 422]).toContain(status);
    }
    rss.push((await here.world.service.memory()).rss);
  }
  console.info(`RSS round by round, MB: ${rss.map((bytes) => Math.round(bytes / 1e6)).join(' ')}`);
  expect(Math.max(...rss.slice(-3)) - Math.max(...rss.slice(0, 4))).toBeLessThan(LEVEL);
});
