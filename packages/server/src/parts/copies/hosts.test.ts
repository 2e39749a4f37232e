import type { CopyDecision } from '@touchstone/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckPage, PageCheckAnswer } from '../../core/page-checks/check-page.ts';
import type { PagePictures } from '../../core/page-checks/page-pictures.ts';
import { createReportCopies, type ReportCopies } from '../../core/page-checks/report-copies.ts';
import type { Likeness } from '../../core/registry/events.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../../core/registry/testing.ts';
import { provenOwner, writeOwner } from '../../platform/database/hostname-owners.ts';
import { ServiceError } from '../../platform/errors.ts';
import { listCopies } from './copies.ts';
import { decideCopy } from './decide.ts';
import { lookAgain } from './look-again.ts';
import { purgeCopies } from './purge.ts';
import { getHostStatements, setHostStatements } from './statements.ts';

const DAY = 86_400_000;

let registry: TestRegistry;
let shop: TestShop;
let other: TestShop;
let now: Date;
let report: ReportCopies;

beforeAll(async () => {
  registry = await testRegistry();
  shop = await testShop(registry);
  other = await testShop(registry, 'other.example');
  await registry.database.query(
    `insert into webhooks (id, merchant_id, url, events, secret, created_at)
     values (gen_random_uuid(), $1, 'https://hooks.example', '{copy.host_found,copy.host_gone}', '', now())`,
    [shop.merchantId],
  );
  for (const { host, merchantId } of [shop, other]) {
    const owner = { hostname: host, merchant_id: merchantId, method: 'dns_txt' } as const;
    await writeOwner(registry.db, registry.secrets.rows, provenOwner(owner, new Date()), new Date());
  }
});
afterAll(() => registry.close());
beforeEach(async () => {
  now = new Date('2026-03-08T12:00:00Z');
  await registry.database.query(
    'truncate copies, copy_domains, copy_hosts, host_statements, picture_settings, webhook_deliveries, events',
  );
  await registry.database.query("delete from jobs where queue = 'webhooks'");
  report = createReportCopies({
    db: registry.db,
    emit: registry.emit,
    clock: () => now,
    onFault: (fault) => {
      throw fault;
    },
  });
});

const context = () => ({
  db: registry.db,
  clock: () => now,
  emit: registry.emit,
  trusted: registry.secrets.rows,
});
const PICTURES = { kind: 'pictures', pictures: 3, of: 4, same: ['name'] } as const;
const NAME = { kind: 'name', resemblance: ['added_words'] } as const;
const find = (host: string, found: Likeness = PICTURES) =>
  report.likeness({
    merchantId: shop.merchantId,
    original: shop.host,
    pageUrl: `https://me:secret@${host}/cup?email=me@example.com`,
    found,
  });
const domains = async () => (await listCopies(context(), 'all', shop.storeId, { limit: 100 })).domains;
const hosts = async () => (await domains()).flatMap((domain) => domain.hosts);
const decide = (host: string, decision: CopyDecision) =>
  decideCopy(context(), 'all', { storeId: shop.storeId, host }, decision);
const events = () =>
  registry.database.query<{ type: string; items: { host: string; kinds: string[] }[] }>(
    'select type, items from events order by occurred_at, type',
  );
const told = async () =>
  (await events()).flatMap(({ type, items }) =>
    items.map(({ host, kinds }) => `${type} ${host} ${kinds.join()}`),
  );

describe('what is found of a shop on a host of somebody else', () => {
  it('is listed by kind, with the newest of each, and told once for each kind', async () => {
    await find('copy.example');
    await find('copy.example', NAME);
    now = new Date(now.getTime() + DAY);
    await find('copy.example', { ...PICTURES, pictures: 4 });
    const [first, last] = ['2026-03-08T12:00:00.000Z', '2026-03-09T12:00:00.000Z'];
    expect(await domains()).toMatchObject([{ domain: 'copy.example', times: 3, dropped: 0, copies: [] }]);
    expect(await hosts()).toEqual([
      {
        host: 'copy.example',
        url: 'https://copy.example/cup',
        state: 'new',
        found: {
          pictures: { original: 'shop.example', pictures: 4, of: 4, same: ['name'], lastAt: last },
          name: { original: 'shop.example', resemblance: ['added_words'], lastAt: first },
        },
        firstAt: first,
        lastAt: last,
      },
    ]);
    expect((await told()).toSorted()).toEqual([
      'copy.host_found copy.example name',
      'copy.host_found copy.example pictures',
    ]);
  });

  it('is nothing on its own hosts, for a host that it has lost, or for another merchant', async () => {
    for (const host of ['shop.example', 'www.shop.example']) await find(host);
    await report.likeness({
      merchantId: other.merchantId,
      original: shop.host,
      pageUrl: 'https://copy.example/cup',
      found: PICTURES,
    });
    expect([await domains(), await told()]).toEqual([[], []]);
  });

  it('is bounded by registrable domain: the newest are kept, and those about which the merchant has decided', async () => {
    await find('first.attacker.co.uk', NAME);
    await decide('first.attacker.co.uk', { state: 'reported' });
    for (let n = 0; n < 30; n += 1) {
      now = new Date(now.getTime() + 1_000);
      await find(`shop-${n}.attacker.co.uk`, NAME);
    }
    await find('another.example', NAME);
    const listed = await domains();
    expect(listed.map(({ domain, times, dropped }) => [domain, times, dropped])).toEqual([
      ['another.example', 1, 0],
      ['attacker.co.uk', 31, 10],
    ]);
    expect(listed[1]?.hosts.map(({ host }) => host)).toEqual([
      ...Array.from({ length: 20 }, (_, n) => `shop-${29 - n}.attacker.co.uk`),
      'first.attacker.co.uk',
    ]);
    expect(await told()).toHaveLength(22);
  });

  it('is deleted after 90 days, but for hosts that the merchant lets be', async () => {
    for (const host of ['a.example', 'b.example']) await find(host);
    await decide('b.example', { state: 'allowed' });
    await purgeCopies(registry.db, new Date(now.getTime() + 91 * DAY));
    expect(await domains()).toMatchObject([{ domain: 'b.example', hosts: [{ state: 'allowed' }] }]);
  });
});

describe('a decision', () => {
  const allowed = () => registry.database.query('select allowed_hosts from picture_settings');

  it('lets a host use the pictures, or no longer, and nothing more is told of it meanwhile', async () => {
    await find('copy.example');
    expect(await decide('copy.example', { state: 'mine' })).toMatchObject({ state: 'mine' });
    expect(await allowed()).toEqual([{ allowed_hosts: ['copy.example'] }]);
    await find('copy.example', NAME);
    expect(await told()).toEqual(['copy.host_found copy.example pictures']);
    await decide('copy.example', { state: 'allowed' });
    expect(await allowed()).toEqual([{ allowed_hosts: ['copy.example'] }]);
    await decide('copy.example', { state: 'reported' });
    expect(await allowed()).toEqual([{ allowed_hosts: [] }]);
  });

  it('about a host on which nothing was found, or that another merchant has listed, is refused', async () => {
    await find('copy.example');
    const of = (place: { storeId: string; host: string }) =>
      decideCopy(context(), 'all', place, { state: 'mine' });
    for (const place of [
      { storeId: shop.storeId, host: 'nothing.example' },
      { storeId: other.storeId, host: 'copy.example' },
    ])
      await expect(of(place)).rejects.toMatchObject({ code: 'copy_unknown' });
    expect(await allowed()).toEqual([]);
  });

  it('that would allow more hosts than a store may is refused whole', async () => {
    await registry.database.query(
      `insert into picture_settings values ($1, $2, true, false, '{}', array(select n || '.example' from generate_series(1, 100) n))`,
      [shop.merchantId, shop.storeId],
    );
    await find('copy.example');
    await expect(decide('copy.example', { state: 'mine' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await hosts()).toMatchObject([{ state: 'new' }]);
  });
});

describe('what the owner of a host states about it', () => {
  const state = (statements: { about: string; says: 'own_shop' | 'authorised_reseller' }[]) =>
    setHostStatements(
      registry,
      'all',
      { merchantId: other.merchantId, hostname: 'other.example' },
      statements,
    );
  const stated = async () =>
    (await getHostStatements(registry, 'all', { merchantId: other.merchantId, hostname: 'other.example' }))
      .statements;

  it('is shown to the merchant of the other shop, who confirms it or not', async () => {
    await find('other.example');
    await state([{ about: 'shop.example', says: 'authorised_reseller' }]);
    const statement = { says: 'authorised_reseller', confirmed: false };
    expect(await hosts()).toMatchObject([{ host: 'other.example', statement }]);
    expect(await stated()).toMatchObject([{ about: 'shop.example', ...statement }]);
    await expect(decide('other.example', { state: 'allowed', confirms: 'own_shop' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(
      decide('other.example', { state: 'reported', confirms: 'authorised_reseller' }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await decide('other.example', { state: 'allowed', confirms: 'authorised_reseller' });
    expect(await hosts()).toMatchObject([{ state: 'allowed', statement: { confirmed: true } }]);
    expect(await stated()).toMatchObject([{ confirmed: true }]);
    // what was confirmed is no longer what is stated
    await state([{ about: 'shop.example', says: 'own_shop' }]);
    expect(await hosts()).toMatchObject([{ statement: { says: 'own_shop', confirmed: false } }]);
    expect(await stated()).toMatchObject([{ says: 'own_shop', confirmed: false }]);
  });

  it('may be stated by whoever has proven control of the host alone, and counts as long as that holds', async () => {
    await expect(
      setHostStatements(registry, 'all', { merchantId: shop.merchantId, hostname: 'other.example' }, []),
    ).rejects.toMatchObject({ code: 'conflict' });
    await find('other.example');
    await state([{ about: 'shop.example', says: 'own_shop' }]);
    const { rows } = registry.secrets;
    const owner = { hostname: 'other.example', method: 'dns_txt' } as const;
    await writeOwner(registry.db, rows, provenOwner({ ...owner, merchant_id: shop.merchantId }, now), now);
    expect((await hosts())[0]).not.toHaveProperty('statement');
    await writeOwner(registry.db, rows, provenOwner({ ...owner, merchant_id: other.merchantId }, now), now);
    expect((await hosts())[0]).toHaveProperty('statement');
  });

  it('towards a shop that nobody knows has the same answer, and is told to nobody', async () => {
    await find('other.example');
    const known = await state([{ about: 'shop.example', says: 'own_shop' }]);
    const unknown = await state([{ about: 'nobody.example', says: 'own_shop' }]);
    const text = (answer: object) => JSON.stringify(answer).replace(/shop\.example|nobody\.example/, 'HOST');
    expect(text(unknown)).toBe(text(known));
    expect((await hosts())[0]).not.toHaveProperty('statement');
  });
});

describe('the service looks again', () => {
  type Outcome = PageCheckAnswer['observation']['outcome'];
  const PAGE = { kind: 'page', status: 200, reading: {} } as unknown as Outcome;
  const failed = (code: string, detail = ''): Outcome => ({ kind: 'failed', code, detail });
  /** What a look finds: an outcome, and pictures of the shop if the page has them. */
  interface Site {
    readonly outcome: Outcome;
    readonly has?: Likeness;
    readonly unread?: true;
  }
  let site: Site;
  let looks: string[];
  beforeEach(() => {
    looks = [];
  });

  const checkPage = (async ({ url }: { url: string }) => {
    looks.push(url);
    return { report: { id: 'report' }, observation: { outcome: site.outcome } };
  }) as unknown as CheckPage;
  const pagePictures = {
    get: async () => {
      if (site.has !== undefined) await find('copy.example', site.has);
      const findings = site.unread === true ? [{ code: 'pictures_unread' }] : [];
      return { id: 'report', state: 'done', matches: [], findings };
    },
  } as unknown as PagePictures;
  const look = () =>
    lookAgain(
      { db: registry.db, clock: () => now, emit: registry.emit, checkPage, pagePictures },
      new AbortController().signal,
    );
  const days = async (count: number) => {
    for (let day = 0; day < count; day += 1) {
      now = new Date(now.getTime() + DAY);
      await look();
    }
  };

  it('daily, until two looks in a row find nothing; what returns is new', async () => {
    await find('copy.example');
    site = { outcome: PAGE, has: PICTURES };
    expect(await look()).toBe(0);
    await days(3);
    expect([looks.length, (await hosts())[0]]).toMatchObject([
      3,
      { state: 'new', checkedAt: now.toISOString(), lastAt: now.toISOString() },
    ]);
    site = { outcome: PAGE };
    await days(1);
    expect(await hosts()).toMatchObject([{ state: 'new' }]);
    await days(1);
    expect(await hosts()).toMatchObject([{ state: 'gone' }]);
    await days(3);
    expect(looks).toHaveLength(5);
    expect(await told()).toEqual([
      'copy.host_found copy.example pictures',
      'copy.host_gone copy.example pictures',
    ]);
    await find('copy.example');
    expect(await hosts()).toMatchObject([{ state: 'new' }]);
    expect(await told()).toHaveLength(3);
  });

  it.each([
    ['a host that no longer exists', { outcome: failed('host_unknown') }, 'gone'],
    ['a page that no longer exists', { outcome: failed('http_status', 'It answered 404.') }, 'gone'],
    ['a host that refuses the service', { outcome: failed('http_status', 'It answered 403.') }, 'reported'],
    ['a host that does not answer', { outcome: failed('timed_out') }, 'reported'],
    ['a page whose pictures cannot be read', { outcome: PAGE, unread: true }, 'reported'],
  ] as const)('at %s', async (_, seen, state) => {
    await find('copy.example');
    await decide('copy.example', { state: 'reported' });
    site = seen;
    await days(4);
    expect(await hosts()).toMatchObject([{ state }]);
  });

  it('at a name whose page is there: it is not gone, even if names could not be compared', async () => {
    await find('copy.example', NAME);
    site = { outcome: PAGE };
    await days(4);
    expect(await hosts()).toMatchObject([{ state: 'new' }]);
    site = { outcome: failed('host_unknown') };
    await days(2);
    expect(await hosts()).toMatchObject([{ state: 'gone' }]);
  });

  it('not at hosts that the merchant lets be, and soon again at those it does not any more', async () => {
    await find('copy.example');
    await decide('copy.example', { state: 'mine' });
    site = { outcome: PAGE };
    await days(2);
    expect(looks).toEqual([]);
    await decide('copy.example', { state: 'new' });
    await look();
    expect(looks).toEqual(['https://copy.example/cup']);
  });

  it('later if a budget is spent, and at one host of a merchant at a time', async () => {
    for (const host of ['copy.example', 'b.example']) await find(host);
    now = new Date(now.getTime() + DAY);
    const spent = (async ({ url }: { url: string }) => {
      looks.push(url);
      throw new ServiceError('fetch_budget_spent', { retryAfter: 5 });
    }) as unknown as CheckPage;
    const options = { db: registry.db, clock: () => now, emit: registry.emit, checkPage: spent };
    expect(await lookAgain(options, new AbortController().signal)).toBe(1);
    expect(await lookAgain(options, new AbortController().signal)).toBe(1);
    expect(await lookAgain(options, new AbortController().signal)).toBe(0);
    now = new Date(now.getTime() + DAY / 24);
    expect(await lookAgain(options, new AbortController().signal)).toBe(1);
    expect(new Set(looks).size).toBe(2);
    expect(await hosts()).toMatchObject([{ state: 'new' }, { state: 'new' }]);
  });
});
