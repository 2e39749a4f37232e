import { afterEach, expect, it } from 'vitest';
import { type LoopbackServer, loopbackServer, runCli } from '../testing.ts';

const ID = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
const SINCE = '2026-03-01T12:00:00.000Z';
const CHANGE = { id: ID, merchantId: ID, state: 'pending', done: 40, since: SINCE };

let server: LoopbackServer;
afterEach(() => server.close());

async function changes(pages: readonly object[][], ...more: string[]) {
  let page = 0;
  server = await loopbackServer(() => {
    const answered = pages[Math.min(page, pages.length - 1)];
    page += 1;
    return { body: { changes: answered } };
  });
  return runCli(['changes', '--service', server.url, ...more], { env: { TOUCHSTONE_KEY: 'tsk_0' } });
}

it('reports the changes that products are still following', async () => {
  const { code, out } = await changes([
    [
      { ...CHANGE, kind: 'capacity', total: 100 },
      { ...CHANGE, kind: 'domain', storeId: ID, hostname: 'shop.example' },
    ],
  ]);
  expect(code).toBe(2);
  expect(out).toBe(
    `capacity of merchant ${ID}: 40 of 100 products, since ${SINCE}\n` +
      `domain shop.example of store ${ID}: 40 products, since ${SINCE}\n`,
  );
});

it('waits until nothing is pending', async () => {
  const { code, out } = await changes([[{ ...CHANGE, kind: 'capacity', total: 100 }], []], '--watch');
  expect([code, out]).toEqual([0, 'Every change is applied.\n']);
});

it('prints JSON', async () => {
  const { code, out } = await changes([[{ ...CHANGE, kind: 'capacity', total: 100 }]], '--json');
  expect([code, JSON.parse(out)]).toMatchObject([2, { changes: [{ done: 40, total: 100 }] }]);
});
