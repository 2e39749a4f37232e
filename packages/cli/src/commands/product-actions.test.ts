import { afterEach, describe, expect, it } from 'vitest';
import { type LoopbackServer, loopbackServer, runCli } from '../testing.ts';

const STORE = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const UNTIL = '2026-03-08T12:00:00.000Z';
const CHANGE = {
  id: ID,
  kind: 'hide',
  merchantId: ID,
  storeId: STORE,
  state: 'done',
  since: '2026-03-01T12:00:00.000Z',
  undoableUntil: UNTIL,
};
const uuid = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
const ids = (count: number) => Array.from({ length: count }, (_, nth) => uuid(nth));

let server: LoopbackServer;
afterEach(() => server?.close());

interface Order {
  readonly action: string;
  readonly productIds?: string[];
  readonly filter?: object;
}

/** Runs `products …` against a service that carries out every request, except for these products. */
async function products(
  words: readonly string[],
  { stdin = '', terminal = false, missing = 0, changes = {} as object } = {},
) {
  const orders: Order[] = [];
  server = await loopbackServer(({ path, body }) => {
    if (!path.endsWith('/actions'))
      return { body: { ...CHANGE, done: 3, changed: 2, undoableUntil: undefined } };
    const order = JSON.parse(body) as Order;
    orders.push(order);
    const done = (order.productIds?.length ?? 3) - missing;
    return { body: { ...CHANGE, done, changed: done, ...changes } };
  });
  const argv = ['products', ...words, '--service', server.url];
  return { ...(await runCli(argv, { env: { TOUCHSTONE_KEY: 'tsk_0' }, stdin, terminal })), orders };
}

describe('products', () => {
  it('are hidden by their ids, and the command to undo it is printed', async () => {
    const { code, out, orders } = await products(['hide', uuid(1), uuid(2), '--store', STORE]);
    expect(orders).toEqual([{ action: 'hide', productIds: [uuid(1), uuid(2)] }]);
    expect([code, out]).toEqual([
      0,
      `2 products were hidden.\nTo undo it, until ${UNTIL}: touchstone products undo ${ID}\n`,
    ]);
  });

  it('are selected by a filter, or all of the store', async () => {
    const { orders } = await products([
      'unhide',
      '--store',
      STORE,
      '--state',
      'hidden',
      '--q',
      'cup',
      '--yes',
    ]);
    expect(orders).toEqual([{ action: 'show', filter: { state: 'hidden', q: 'cup' } }]);
    await server.close();
    expect((await products(['delete', '--store', STORE, '--all', '--yes'])).orders).toEqual([
      { action: 'delete', filter: {} },
    ]);
  });

  it('are read from a file, 1,000 per request; ids that are not in the store are reported', async () => {
    const stdin = `# ours\n${ids(1_200).join('\n')}\n`;
    const options = { stdin, missing: 1 };
    const told = await products(['hide', '--file', '-', '--store', STORE, '--yes'], options);
    expect(told.orders.map(({ productIds }) => productIds?.length)).toEqual([1_000, 200]);
    expect(told.out).toContain(
      '1198 products were hidden.\n2 of the ids do not belong to products of the store.\n',
    );
    await server.close();
    const { json } = await products(['hide', '--file', '-', '--store', STORE, '--yes', '--json'], options);
    expect(json()).toMatchObject({ changes: [{ id: ID }, { id: ID }] });
  });

  it('are changed only after confirmation if there are more than 100', async () => {
    const words = ['delete', '--store', STORE, ...ids(101)];
    const alone = await products(words);
    expect([alone.code, alone.orders, alone.err]).toEqual([
      64,
      [],
      expect.stringMatching(
        /101 products of this store would be deleted\. Nothing was deleted\.[\s\S]*--yes/,
      ),
    ]);
    await server.close();
    const no = await products(words, { terminal: true, stdin: 'n\n' });
    expect([no.code, no.orders, no.out]).toEqual([2, [], 'Nothing was deleted.\n']);
    expect(no.err).toContain('Delete them? [y/N]');
    await server.close();
    expect((await products(words, { terminal: true, stdin: 'y\n' })).orders).toHaveLength(1);
  });

  it('that change in the background are reported as pending', async () => {
    const changes = { state: 'pending', changed: 40 };
    const { code, out } = await products(['hide', '--store', STORE, '--all', '--yes'], { changes });
    expect([code, out]).toEqual([2, expect.stringContaining('touchstone changes --watch')]);
  });

  it('are restored by undo', async () => {
    const { code, out } = await products(['undo', ID]);
    expect([code, out]).toEqual([0, '2 products were restored.\n']);
  });
});

it.each([
  ['no products', ['hide']],
  ['a filter without a store', ['hide', '--state', 'active']],
  ['ids and a filter', ['hide', ID, '--store', STORE, '--q', 'cup']],
  ['an invalid id', ['hide', '--store', STORE, '--file', '-'], 'cup'],
])('refuses %s', async (_, words, stdin = '') => {
  const { code, orders } = await products(words, { stdin });
  expect([code, orders]).toEqual([64, []]);
});
