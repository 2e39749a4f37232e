import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../platform/errors.ts';
import { createFindCertificate } from '../../certificates/find-certificate.ts';
import type { GetCertificate } from '../../certificates/get-product-certificate.ts';
import { createSnapshotLoader } from '../../certificates/load-snapshot.ts';
import { getProduct } from '../products/read-products.ts';
import { getStore } from '../stores/stores.ts';
import { fakeWeb, type TestRegistry, type TestShop, testRegistry, testShop } from '../testing.ts';
import { DAY, HOUR } from './control-schedule.ts';
import { listChecks } from './domains.ts';
import type { FetchedText } from './find-proof.ts';
import { purgeChecks, runDueChecks } from './run-checks.ts';
import { verifyDomain } from './verify-domain.ts';

const START = new Date('2026-11-20T10:00:00Z').getTime();

let registry: TestRegistry;
let now: number;
/** What hosts show now. */
let pages: Record<string, string | FetchedText>;
let web: ReturnType<typeof fakeWeb>;
let faults: unknown[];

beforeAll(async () => {
  registry = { ...(await testRegistry()), clock: () => new Date(now) };
});
afterAll(() => registry.close());
beforeEach(async () => {
  now = START;
  pages = {};
  web = fakeWeb(pages);
  faults = [];
  await registry.database.query(
    'truncate hostname_owners, control_checks, control_contests, rate_windows, events, webhook_deliveries',
  );
});

const at = (host: string) => `https://${host}/.well-known/touchstone-challenge`;
const show = (...shops: TestShop[]) => {
  for (const { host } of shops) pages[at(host)] = shops.map(({ challenge }) => challenge).join('\n');
};
const hide = ({ host }: TestShop) => {
  pages[at(host)] = { status: 404, finalUrl: at(host), body: '' };
};
const run = (node: Pick<TestRegistry, 'db'> = registry, ports = web.ports) =>
  runDueChecks(
    { registry: { ...registry, db: node.db }, ports },
    (fault) => faults.push(fault),
    new AbortController().signal,
  );
const verify = (shop: TestShop) => verifyDomain(registry, web.ports, 'all', shop.storeId, shop.host);
const domain = async ({ storeId, host }: TestShop) =>
  (await getStore(registry, 'all', storeId)).domains.find(({ hostname }) => hostname === host);
const history = async ({ storeId, host }: TestShop) =>
  (await listChecks(registry, 'all', storeId, host, { limit: 100 })).checks;
const events = () =>
  registry.database.query<{ type: string; store_id: string; detail: Record<string, unknown> }>(
    'select type, store_id, detail from events order by opened_at, type',
  );

/** A shop that has proven its host, and receives every event about domains. */
async function owner(host: string): Promise<TestShop> {
  const shop = await testShop(registry, host);
  show(shop);
  await verify(shop);
  await listen(shop);
  return shop;
}

async function listen({ merchantId }: TestShop) {
  await registry.database.query(
    `insert into webhooks (id, merchant_id, url, events, secret, created_at) values (gen_random_uuid(), $1,
       'https://hooks.example', '{domain.proven,domain.proof_missing,domain.proof_ended,domain.contested,domain.lost}', '', now())`,
    [merchantId],
  );
}

describe('a proof of control', () => {
  it('is checked again within 10 days of each success, not all hosts at once', async () => {
    const shops = await Promise.all(Array.from({ length: 12 }, (_, n) => owner(`spread-${n}.example`)));
    for (let success = 1; success <= 2; success += 1) {
      now += 6 * DAY - 1;
      expect(await run()).toBe(0);
      const perDay: number[] = [];
      for (let day = 0; day < 4; day += 1) {
        now += DAY;
        perDay.push(await run());
      }
      // 10 days after each success none is left
      expect(perDay.reduce((sum, count) => sum + count)).toBe(12);
      expect(Math.max(...perDay)).toBeLessThan(12);
      for (const shop of shops)
        expect(
          (await history(shop)).filter(({ outcome }) => outcome === 'found').length,
        ).toBeGreaterThanOrEqual(success);
      await registry.database.query('update hostname_owners set check_at = $1', [new Date(now)]);
      expect(await run()).toBe(12);
    }
  });

  it('is found by whichever method shows it, beginning with the one proven first', async () => {
    const shop = await testShop(registry, 'methods.example');
    const page = `<head><meta name="touchstone-challenge" content="${shop.challenge}"></head>`;
    pages[`https://${shop.host}/`] = page;
    await verify(shop);
    web.fetched.length = 0;
    now += 10 * DAY;
    expect(await run()).toBe(1);
    expect(web.fetched).toEqual([`https://${shop.host}/`]);
    pages[`https://${shop.host}/`] = '<head></head>';
    show(shop);
    now += 10 * DAY;
    expect(await run()).toBe(1);
    expect((await history(shop)).map(({ method }) => method)).toEqual(['well_known', 'meta_tag']);
    expect(await domain(shop)).toMatchObject({ verified: true, confirmedAt: new Date(now).toISOString() });
  });

  it('is checked by one of two nodes', async () => {
    const shops = await Promise.all([1, 2, 3, 4, 5].map((n) => owner(`nodes-${n}.example`)));
    now += 10 * DAY;
    const other = registry.database.open();
    const counts = await Promise.all([run(), run(other)]);
    expect(counts[0] + counts[1]).toBe(5);
    for (const shop of shops) expect(await history(shop)).toHaveLength(1);
  });

  it('that is missed is told to the owner once, and ends 14 days after the first miss', async () => {
    const shop = await owner('missed.example');
    hide(shop);
    now += 10 * DAY;
    const since = now;
    await run();
    const until = new Date(since + 14 * DAY).toISOString();
    expect(await events()).toMatchObject([
      {
        type: 'domain.proof_missing',
        store_id: shop.storeId,
        detail: {
          hostname: shop.host,
          lookedFor: shop.challenge,
          endsAt: until,
          nextStep: expect.stringContaining(shop.challenge),
          saw: [{ code: 'challenge_status', value: '404' }, {}, {}],
        },
      },
    ]);
    // to the millisecond
    for (; now < since + 14 * DAY - 1; now = Math.min(now + DAY, since + 14 * DAY - 1)) await run();
    await run();
    expect(await domain(shop)).toMatchObject({ verified: true, missing: { until } });
    registry.changes.length = 0;
    now += 1;
    await run();
    expect(await domain(shop)).toEqual({ hostname: shop.host, verified: false, challenge: shop.challenge });
    expect((await events()).map(({ type }) => type)).toEqual(['domain.proof_missing', 'domain.proof_ended']);
    expect(registry.changes).toEqual([`h:${shop.host}`, `m:${shop.merchantId}`]);
    const checks = await history(shop);
    expect(checks.every(({ outcome }) => outcome === 'missed')).toBe(true);
    expect(checks.length).toBeGreaterThanOrEqual(14);
    // and nothing is left to do
    now += 100 * DAY;
    expect(await run()).toBe(0);
    show(shop);
    expect(await verify(shop)).toMatchObject({ verified: true });
  });

  it('that is found again begins anew, whether the service looked or was asked to', async () => {
    const shop = await owner('again.example');
    for (const look of [run, () => verify(shop)]) {
      hide(shop);
      now += 10 * DAY;
      await run();
      expect(await domain(shop)).toHaveProperty('missing');
      show(shop);
      now += 13 * DAY;
      await look();
      expect(await domain(shop)).not.toHaveProperty('missing');
    }
    hide(shop);
    now += 9 * DAY;
    await run();
    now += 13 * DAY;
    await run();
    expect(await domain(shop)).toMatchObject({ verified: true });
  });

  it('is not missed while our own network fails, however long, and is tried again each hour', async () => {
    const shop = await owner('fault.example');
    hide(shop);
    now += 10 * DAY;
    await run();
    const broken = {
      ...web.ports,
      fetchText: async () => {
        throw new ServiceError('network_unavailable');
      },
    };
    for (let day = 0; day < 20; day += 1) {
      now += DAY;
      expect(await run(registry, broken)).toBe(1);
    }
    expect(faults).toHaveLength(20);
    expect(await domain(shop)).toMatchObject({ verified: true });
    expect((await history(shop))[0]).toEqual({
      checkedAt: new Date(now).toISOString(),
      reason: 'scheduled',
      outcome: 'undecided',
    });
    now += HOUR - 1;
    expect(await run()).toBe(0);
    show(shop);
    now += 1;
    expect(await run()).toBe(1);
    expect(await domain(shop)).not.toHaveProperty('missing');
  });

  it('counts if one method finds it while our network fails for the others', async () => {
    const shop = await owner('half.example');
    now += 10 * DAY;
    const { fetched, ports } = fakeWeb({}, { [`_touchstone-challenge.${shop.host}`]: [shop.challenge] });
    const half = {
      ...ports,
      fetchText: async (url: string) => {
        fetched.push(url);
        throw new ServiceError('network_unavailable');
      },
    };
    await run(registry, half);
    expect((await history(shop))[0]).toMatchObject({ outcome: 'found', method: 'dns_txt' });
  });

  it('a miss that began before a success was found changes nothing', async () => {
    const shop = await owner('late.example');
    now += 10 * DAY;
    const slow = {
      ...fakeWeb({}).ports,
      resolveTxt: async () => {
        now += 1000;
        await verify(shop);
        return { records: [] };
      },
    };
    await run(registry, slow);
    expect((await history(shop)).map(({ outcome }) => outcome)).toEqual(['missed', 'found']);
    expect(await domain(shop)).not.toHaveProperty('missing');
  });

  it('has its last 500 checks listed page by page, for 400 days', async () => {
    const shop = await owner('history.example');
    await registry.database.query(
      `insert into control_checks (merchant_id, hostname, checked_at, reason, outcome)
       select $1, $2, $3::timestamptz + n * interval '1 second', 'scheduled', 'undecided' from generate_series(1, 600) n`,
      [shop.merchantId, shop.host, new Date(now)],
    );
    await verify(shop);
    const first = await listChecks(registry, 'all', shop.storeId, shop.host, { limit: 400 });
    const second = await listChecks(registry, 'all', shop.storeId, shop.host, {
      limit: 400,
      ...(first.nextCursor === undefined ? {} : { cursor: first.nextCursor }),
    });
    expect([first.checks.length, second.checks.length, second.nextCursor]).toEqual([400, 100, undefined]);
    expect(first.checks[0]).toMatchObject({ reason: 'requested', outcome: 'found', method: 'well_known' });
    now += 400 * DAY;
    expect(await purgeChecks(registry)).toBe(0);
    now += DAY;
    expect(await purgeChecks(registry)).toBe(500);
    const stranger = { merchantId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01' };
    await expect(listChecks(registry, stranger, shop.storeId, shop.host, { limit: 1 })).rejects.toMatchObject(
      { code: 'store_unknown' },
    );
  });
});

describe('a rival that proves the host of another merchant', () => {
  /** The owner's challenge is gone, and the rival's in its place. */
  async function disputed(host: string) {
    const before = await owner(host);
    const [product] = await before.put(before.row('cup'));
    const rival = await testShop(registry, host);
    await listen(rival);
    show(rival);
    return { before, rival, productId: product?.id ?? '' };
  }

  it('gets it an hour later if the owner’s challenge is missing both times: nothing of the owner is found or active then', async () => {
    const { before, rival, productId } = await disputed('sold.example');
    const find = createFindCertificate(registry.db, registry.secrets.rows, (async (id: string) => ({
      id,
    })) as unknown as GetCertificate);
    const found = async () =>
      (await find(`https://${rival.host}/products/cup`).catch(() => ({ path: '' }))).path;
    const decidedAt = new Date(START + HOUR).toISOString();
    const pending = await verify(rival);
    expect(pending).toMatchObject({ verified: false, decidedAt, saw: [{ found: true }] });
    expect(pending.nextStep).toContain(decidedAt);
    expect(await domain(rival)).toMatchObject({ decidedAt, lostAt: expect.any(String) });
    expect(await domain(before)).toMatchObject({ verified: true, decidedAt, missing: {} });
    now += HOUR - 1;
    expect(await verify(rival)).toMatchObject({ verified: false, decidedAt });
    expect(await run()).toBe(0);
    expect(await found()).toContain(productId);
    now += 1;
    expect(await run()).toBe(1);
    expect(await domain(rival)).toEqual({
      hostname: rival.host,
      verified: true,
      challenge: rival.challenge,
      confirmedAt: new Date(now).toISOString(),
    });
    expect(await domain(before)).toMatchObject({ verified: false, lostAt: new Date(now).toISOString() });
    expect((await getProduct(registry, 'all', productId)).state).toBe('host_lost');
    expect(await found()).toBe('');
    const [product] = await rival.put(rival.row('cup'));
    expect(await found()).toContain(product?.id);
    expect(
      (await createSnapshotLoader(registry.db, registry.secrets.rows).product(product?.id ?? ''))?.domains,
    ).toEqual([{ hostname: rival.host, verified: true }]);
    const told = await events();
    expect(told.map(({ type, store_id }) => [type, store_id === rival.storeId])).toEqual([
      ['domain.proof_missing', false],
      ['domain.contested', false],
      ['domain.lost', false],
      ['domain.proven', true],
    ]);
    expect(told[1]?.detail).toMatchObject({ decidedAt, lookedFor: before.challenge });
    // the way back is the same
    show(before);
    expect(await verify(before)).toMatchObject({ verified: false, decidedAt: expect.any(String) });
  });

  it('gets it by asking again after the hour, too', async () => {
    const { rival } = await disputed('asked.example');
    await verify(rival);
    now += HOUR;
    expect(await verify(rival)).toMatchObject({ verified: true, method: 'well_known' });
    expect(await domain(rival)).toMatchObject({ verified: true });
  });

  it.each(['at once', 'after the hour', 'in between'])(
    'does not get it if the owner’s challenge is there %s',
    async (when) => {
      const { before, rival } = await disputed(`kept-${when.replaceAll(' ', '-')}.example`);
      if (when === 'at once') {
        show(before, rival);
        await expect(verify(rival)).rejects.toMatchObject({ code: 'hostname_taken' });
      } else {
        await verify(rival);
        show(before, rival);
        if (when === 'in between') {
          await verify(before);
          show(rival);
        }
      }
      now += HOUR;
      await run();
      expect(await domain(before)).toMatchObject({ verified: true });
      expect(await domain(rival)).toMatchObject({ verified: false, lostAt: expect.any(String) });
      expect(await domain(rival)).not.toHaveProperty('decidedAt');
    },
  );

  it('does not get it if its own challenge is gone by then, or its domain', async () => {
    for (const leave of ['challenge', 'domain']) {
      const { before, rival } = await disputed(`left-${leave}.example`);
      await verify(rival);
      if (leave === 'challenge') hide(rival);
      else await registry.database.query('delete from domains where store_id = $1', [rival.storeId]);
      now += HOUR;
      await run();
      expect(await domain(before)).toMatchObject({ verified: true });
      expect(await registry.database.query('select from control_contests')).toEqual([]);
    }
  });

  it('waits while our own network fails', async () => {
    const { before, rival } = await disputed('waits.example');
    const broken = {
      ...web.ports,
      resolveTxt: async () => {
        throw new ServiceError('network_unavailable');
      },
    };
    await expect(verifyDomain(registry, broken, 'all', rival.storeId, rival.host)).rejects.toMatchObject({
      code: 'network_unavailable',
    });
    expect(await domain(before)).not.toHaveProperty('decidedAt');
    await verify(rival);
    now += HOUR;
    await run(registry, broken);
    expect(await domain(before)).toMatchObject({ verified: true });
    now += HOUR;
    await run();
    expect(await domain(rival)).toMatchObject({ verified: true });
  });

  it('takes it once, on however many nodes it is decided', async () => {
    const { before, rival } = await disputed('raced.example');
    await verify(rival);
    now += HOUR;
    const other = registry.database.open();
    await Promise.allSettled([run(), run(other), verify(rival)]);
    expect(await domain(rival)).toMatchObject({ verified: true });
    expect(await domain(before)).toMatchObject({ verified: false });
    expect((await events()).filter(({ type }) => type === 'domain.lost')).toHaveLength(1);
  });
});
