import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../platform/http/access.ts';
import { createSnapshotLoader } from '../../certificates/load-snapshot.ts';
import { createMerchant } from '../merchants/merchants.ts';
import { patchProduct } from '../products/change-product.ts';
import { getProduct } from '../products/read-products.ts';
import { upsertProducts } from '../products/upsert.ts';
import { createStore, deleteStore, getStore, patchStore } from '../stores/stores.ts';
import { fakeWeb, type TestRegistry, type TestShop, testRegistry, testShop } from '../testing.ts';
import { addDomain, removeDomain } from './domains.ts';
import { verifyDomain } from './verify-domain.ts';

const file = (shop: TestShop) => ({
  [`https://${shop.host}/.well-known/touchstone-challenge`]: `${shop.challenge}\n`,
});

describe('domains of a store', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await testRegistry();
  });
  afterAll(() => registry.close());

  const verify = (shop: TestShop, web = fakeWeb(file(shop)), host = shop.host) =>
    verifyDomain(registry, web.ports, 'all', shop.storeId, host);
  const state = async (id: string | undefined) => (await getProduct(registry, 'all', id ?? '')).state;

  it('start with the host of the address, unproven, with a challenge', async () => {
    const shop = await testShop(registry, 'Begin.Example');
    const store = await getStore(registry, 'all', shop.storeId);
    expect(store.domains).toEqual([
      { hostname: 'begin.example', verified: false, challenge: shop.challenge },
    ]);
    expect(shop.challenge).toMatch(/^touchstone-challenge-[\w-]{32}$/);
  });

  it('are proven by a file, which is looked for again when asked', async () => {
    const shop = await testShop(registry, 'file.example');
    expect(await verify(shop)).toMatchObject({
      verified: true,
      method: 'well_known',
      lookedFor: shop.challenge,
    });
    expect((await getStore(registry, 'all', shop.storeId)).domains[0]?.verified).toBe(true);
    const until = '2026-12-04T10:00:00.000Z';
    const gone = await verify(shop, fakeWeb({}));
    expect(gone).toMatchObject({ verified: false, provenUntil: until });
    expect(gone.nextStep).toContain(until);
    expect((await getStore(registry, 'all', shop.storeId)).domains[0]).toMatchObject({
      verified: true,
      missing: { since: '2026-11-20T10:00:00.000Z', until, saw: gone.saw },
    });
  });

  it('are proven by a meta tag in the head of the home page', async () => {
    const shop = await testShop(registry, 'meta.example');
    const html = `<!doctype html><html><head><meta content='${shop.challenge}' NAME="Touchstone-Challenge"></head></html>`;
    const web = fakeWeb({ 'https://meta.example/': html });
    expect(await verify(shop, web)).toMatchObject({ verified: true, method: 'meta_tag' });
  });

  it('are proven by a TXT record', async () => {
    const shop = await testShop(registry, 'txt.example');
    const web = fakeWeb({}, { '_touchstone-challenge.txt.example': ['v=spf1 -all', shop.challenge] });
    expect(await verify(shop, web)).toMatchObject({ verified: true, method: 'dns_txt' });
  });

  it('are not proven by anything else, and the response says what was found and what to do', async () => {
    const shop = await testShop(registry, 'nothing.example');
    const other = await testShop(registry, 'other-challenge.example');
    const web = fakeWeb({
      'https://nothing.example/.well-known/touchstone-challenge': other.challenge,
      'https://nothing.example/': { status: 503, finalUrl: 'https://nothing.example/', body: '' },
    });
    const proof = await verify(shop, web);
    expect(proof).toMatchObject({ verified: false, lookedFor: shop.challenge });
    expect('method' in proof).toBe(false);
    expect(proof.saw.map((sighting) => [sighting.method, sighting.found])).toEqual([
      ['well_known', false],
      ['meta_tag', false],
      ['dns_txt', false],
    ]);
    const [atPath, page, record] = proof.saw;
    expect(atPath).toMatchObject({ code: 'challenge_file_differs', value: `"${other.challenge}"` });
    expect(atPath?.detail).toBe(`The file says: "${other.challenge}"`);
    expect(page).toMatchObject({
      code: 'challenge_status',
      value: '503',
      detail: 'It answers with status 503.',
    });
    expect(record).toMatchObject({ code: 'challenge_txt_missing', detail: 'There is no TXT record.' });
    expect(record).not.toHaveProperty('value');
    expect(proof.nextStep).toContain(shop.challenge);
    expect((await getStore(registry, 'all', shop.storeId)).domains[0]?.verified).toBe(false);
  });

  it('are not proven by a host that does not answer, and the response gives the reason with a code of page checks', async () => {
    const shop = await testShop(registry, 'silent.example');
    expect((await verify(shop, fakeWeb({}))).saw[0]).toMatchObject({
      found: false,
      code: 'connection_refused',
      detail: 'connection_refused: The host refuses the connection.',
    });
  });

  it('are not proven through a redirect to another host or to another file', async () => {
    const shop = await testShop(registry, 'redirect.example');
    for (const [finalUrl, code] of [
      ['https://www.redirect.example/.well-known/touchstone-challenge', 'challenge_on_other_host'],
      ['https://redirect.example/uploads/by-a-visitor.txt', 'challenge_redirected'],
    ] as const) {
      const web = fakeWeb({
        'https://redirect.example/.well-known/touchstone-challenge': {
          status: 200,
          finalUrl,
          body: shop.challenge,
        },
      });
      expect((await verify(shop, web)).saw[0]).toMatchObject({ found: false, code });
    }
  });

  it('are fetched over http if https does not answer, but the store’s own host only at the address of the store', async () => {
    const shop = await testShop(registry, 'schemes.example');
    const extra = await addDomain(registry, 'all', shop.storeId, { hostname: 'www.schemes.example' });
    const page = 'http://www.schemes.example/.well-known/touchstone-challenge';
    const web = fakeWeb({ [page]: extra.challenge });
    expect(await verify(shop, web, 'www.schemes.example')).toMatchObject({ verified: true });
    const own = fakeWeb({ 'http://schemes.example/.well-known/touchstone-challenge': shop.challenge });
    expect(await verify(shop, own)).toMatchObject({ verified: false });
  });

  it('belong to the first merchant that proves them; others lose them with their products and seats', async () => {
    const loser = await testShop(registry, 'wanted.example', 2);
    await addDomain(registry, 'all', loser.storeId, { hostname: 'kept.example' });
    const onLost = [loser.row('a'), loser.row('b')];
    const onKept = loser.row('c', { url: 'https://kept.example/c' });
    const [a, b, c] = await loser.put(...onLost, onKept);
    expect([await state(a?.id), await state(b?.id), await state(c?.id)]).toEqual([
      'active',
      'active',
      'no_slot',
    ]);

    const winner = await testShop(registry, 'wanted.example');
    registry.changes.length = 0;
    expect(await verify(winner)).toMatchObject({ verified: true });
    expect([await state(a?.id), await state(b?.id), await state(c?.id)]).toEqual([
      'host_lost',
      'host_lost',
      'active',
    ]);
    expect(registry.changes).toEqual(
      expect.arrayContaining([`m:${loser.merchantId}` as const, `m:${winner.merchantId}` as const]),
    );
    const loaded = await createSnapshotLoader(registry.db, registry.secrets.rows).product(a?.id ?? '');
    expect(loaded).toMatchObject({ state: 'not_active', why: 'host_lost' });
    expect(loaded?.domains).toEqual([{ hostname: 'kept.example', verified: false }]);

    // nor is the loser named by the address of the winner on the hosts that it keeps
    const other = await createSnapshotLoader(registry.db, registry.secrets.rows).product(c?.id ?? '');
    expect(other?.snapshot.storeUrl).toBe('https://kept.example');

    // and cannot take them back: not without a challenge, and not beside that of the owner
    await expect(verify(loser, fakeWeb(file(winner)))).rejects.toMatchObject({
      code: 'hostname_taken',
      publicMessage: expect.stringContaining(loser.challenge),
    });
    const both = { challenge: `${winner.challenge}\n${loser.challenge}`, host: winner.host };
    await expect(verify(loser, fakeWeb(file(both as TestShop)))).rejects.toMatchObject({
      code: 'hostname_taken',
    });
    const lost = { hostname: 'wanted.example', verified: false, lostAt: expect.any(String) };
    expect(await addDomain(registry, 'all', loser.storeId, { hostname: 'wanted.example' })).toMatchObject(
      lost,
    );
    const late = await testShop(registry, 'wanted.example');
    expect((await getStore(registry, 'all', late.storeId)).domains).toMatchObject([lost]);
    expect((await late.put(late.row('a')))[0]?.status).toBe('error');
    expect((await loser.put(...onLost)).map((result) => result.status)).toEqual(['error', 'error']);
    await expect(
      patchProduct(registry, 'all', c?.id ?? '', { url: 'https://wanted.example/c' }),
    ).rejects.toMatchObject({ code: 'conflict' });

    // but its products may move to a host that it has
    await loser.put(loser.row('a', { url: 'https://kept.example/a' }));
    expect(await state(a?.id)).toBe('active');
    expect((await patchProduct(registry, 'all', b?.id ?? '', { url: 'https://kept.example/b' })).state).toBe(
      'no_slot',
    );
  });

  it('that are lost cause an event for the merchant that lost them', async () => {
    const [loser, owner] = [
      await testShop(registry, 'told.example'),
      await testShop(registry, 'told.example'),
    ];
    await registry.database.query(
      `insert into webhooks (id, merchant_id, url, events, secret, created_at)
       select gen_random_uuid(), id, 'https://hooks.example', '{domain.lost}', '', now() from merchants where id in ($1, $2)`,
      [loser.merchantId, owner.merchantId],
    );
    const { ports } = fakeWeb({ 'https://told.example/.well-known/touchstone-challenge': owner.challenge });
    await verifyDomain(registry, ports, 'all', owner.storeId, 'told.example');
    expect(await registry.database.query('select type, store_id, detail from events')).toEqual([
      { type: 'domain.lost', store_id: loser.storeId, detail: { hostname: 'told.example' } },
    ]);
  });

  it('are free again when their owner leaves, and are then restored with their products', async () => {
    const first = await testShop(registry, 'passed-on.example');
    const second = await testShop(registry, 'passed-on.example');
    const [product] = await second.put(second.row('a'));
    await verify(first);
    expect(await state(product?.id)).toBe('host_lost');
    await deleteStore(registry, 'all', first.storeId);
    await addDomain(registry, 'all', second.storeId, { hostname: 'passed-on.example' });
    expect(await state(product?.id)).toBe('active');
    expect(await verify(second)).toMatchObject({ verified: true });
  });

  it('have one owner, however many prove them concurrently', async () => {
    const shops = await Promise.all([1, 2, 3, 4, 5].map(() => testShop(registry, 'raced.example')));
    const outcomes = await Promise.allSettled(shops.map((shop) => verify(shop)));
    expect(
      outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value.verified),
    ).toHaveLength(1);
    const claims = await registry.database.query<{ live: number }>(
      `select count(*)::int as live from domains where hostname = 'raced.example' and lost_at is null`,
    );
    expect(claims).toEqual([{ live: 1 }]);
  });

  it('stay with one merchant while others add and prove them concurrently', async () => {
    const owner = await testShop(registry, 'race-add.example');
    const others = await Promise.all([1, 2, 3, 4].map((i) => testShop(registry, `race-add-${i}.example`)));
    await Promise.allSettled([
      ...others.map((shop) => addDomain(registry, 'all', shop.storeId, { hostname: 'race-add.example' })),
      verify(owner),
    ]);
    const live = await registry.database.query<{ store_id: string }>(
      `select store_id from domains where hostname = 'race-add.example' and lost_at is null`,
    );
    expect(live).toEqual([{ store_id: owner.storeId }]);
  });

  it('share one challenge per merchant and hostname, and never between merchants', async () => {
    const merchant = await createMerchant(registry, { name: 'Two shops', planCapacity: 1 });
    const store = (path: string) =>
      createStore(registry, 'all', {
        merchantId: merchant.id,
        name: 'S',
        url: `https://shared.example/${path}`,
      });
    const [one, two] = [await store('en'), await store('es')];
    const other = await testShop(registry, 'shared.example');
    expect(one.domains[0]?.challenge).toBe(two.domains[0]?.challenge);
    expect(other.challenge).not.toBe(one.domains[0]?.challenge);
  });

  it('are not proven by what somebody writes into the database: the challenge of the owner, or what the host says to everybody', async () => {
    const owner = await testShop(registry, 'written.example');
    const thief = await testShop(registry, 'written.example');
    await verify(owner);
    const { query } = registry.database;
    const page = '<!DOCTYPE html>\n<html><head><title>x</title></head><body>\n\n</body></html>';
    const anything = fakeWeb({
      'https://written.example/.well-known/touchstone-challenge': page,
      'https://written.example/': page,
    });
    const texts = await query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_name = 'domains' and data_type = 'text' and column_name <> 'hostname'`,
    );
    await query(`delete from hostname_owners where hostname = 'written.example'`);
    for (const [written, web] of [
      [owner.challenge, undefined],
      ['', anything],
      ['<!DOCTYPE html>', anything],
    ] as const) {
      for (const { name } of texts)
        await query(`update domains set ${name} = $1 where store_id = $2`, [written, thief.storeId]);
      expect(await verify({ ...thief, challenge: owner.challenge }, web), written).toMatchObject({
        verified: false,
        lookedFor: thief.challenge,
      });
    }
    await registry.database.tamper(
      ...['stores', 'domains'].map(
        (table) =>
          `update ${table} set merchant_id = '${thief.merchantId}' where merchant_id = '${owner.merchantId}'`,
      ),
      `update directory set merchant_id = '${thief.merchantId}' where id = '${owner.storeId}'`,
    );
    expect(await verify(owner)).toMatchObject({ verified: false, lookedFor: thief.challenge });
  });

  it('are extended by the host of a new address of the store', async () => {
    const shop = await testShop(registry, 'moved.example');
    const { store } = await patchStore(registry, 'all', shop.storeId, {
      url: 'https://new.moved.example/shop',
    });
    expect(store.domains.map((domain) => domain.hostname)).toEqual(['moved.example', 'new.moved.example']);
  });

  it('are all free when their store is deleted, including one that was proven just before', async () => {
    const shop = await testShop(registry, 'going.example');
    const late = 'late.going.example';
    const holder = await registry.database.open().pool.connect();
    await holder.query('begin');
    await holder.query('select from merchants where id = $1 for update', [shop.merchantId]);
    const deleting = deleteStore(registry, 'all', shop.storeId);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => registry.database.query(waiting)).toHaveLength(1);
    await holder.query(`insert into domains (merchant_id, store_id, hostname) values ($3, $1, $2)`, [
      shop.storeId,
      late,
      shop.merchantId,
    ]);
    await holder.query(
      `insert into hostname_owners (hostname, merchant_id, method) values ($1, $2, 'dns_txt')`,
      [late, shop.merchantId],
    );
    await holder.query('commit');
    holder.release();
    await deleting;
    const owners = 'select from hostname_owners where hostname = $1';
    expect(await registry.database.query(owners, [late])).toEqual([]);
  });

  it('pass their seats to the merchant’s other stores when their store is deleted', async () => {
    const shop = await testShop(registry, 'seats-go.example', 1);
    const other = await createStore(registry, 'all', {
      merchantId: shop.merchantId,
      name: 'Other',
      url: 'https://seats-stay.example',
    });
    await shop.put(shop.row('a'));
    const row = shop.row('b', { url: 'https://seats-stay.example/b' });
    const [waiting] = await upsertProducts(registry, 'all', other.id, [row]);
    expect(await state(waiting?.id)).toBe('no_slot');
    await deleteStore(registry, 'all', shop.storeId);
    expect(await state(waiting?.id)).toBe('active');
  });

  it('are deleted with the store, and its products disappear for everybody', async () => {
    const shop = await testShop(registry, 'closing.example');
    const [product] = await shop.put(shop.row('a'));
    await deleteStore(registry, 'all', shop.storeId);
    expect(
      await createSnapshotLoader(registry.db, registry.secrets.rows).product(product?.id ?? ''),
    ).toBeNull();
    await expect(getStore(registry, 'all', shop.storeId)).rejects.toMatchObject({ code: 'store_unknown' });
    await expect(shop.put(shop.row('b'))).rejects.toMatchObject({ code: 'store_unknown' });
  });

  it('can be taken from a store: its products on them are no longer published, and the next merchant to prove them owns them', async () => {
    const before = await testShop(registry, 'seller.example', 1);
    await addDomain(registry, 'all', before.storeId, { hostname: 'sold.example' });
    const on = (id: string, host: string) => before.row(id, { url: `https://${host}/${id}` });
    const [sold, waiting] = await before.put(on('a', 'sold.example'), on('b', 'seller.example'));
    const after = await testShop(registry, 'buyer.example');
    await addDomain(registry, 'all', after.storeId, { hostname: 'sold.example' });
    const store = await getStore(registry, 'all', before.storeId);
    const challenge = store.domains.find(({ hostname }) => hostname === 'sold.example')?.challenge ?? '';
    const web = fakeWeb({ 'https://sold.example/.well-known/touchstone-challenge': challenge });
    await verify(before, web, 'sold.example');
    const claim = () => addDomain(registry, 'all', after.storeId, { hostname: 'sold.example' });
    expect(await claim()).toMatchObject({ verified: false, lostAt: expect.any(String) });

    const remove = (host: string, scope: Scope = 'all') =>
      removeDomain(registry, scope, before.storeId, host);
    await expect(remove('sold.example', { merchantId: after.merchantId })).rejects.toMatchObject({
      code: 'store_unknown',
    });
    await expect(remove('seller.example')).rejects.toMatchObject({ code: 'conflict' });
    await remove('Sold.Example');
    await expect(remove('sold.example')).rejects.toMatchObject({ code: 'domain_unknown_to_store' });
    // the seat goes to the product that waited
    expect([await state(sold?.id), await state(waiting?.id)]).toEqual(['host_lost', 'active']);
    expect(await claim()).toMatchObject({ hostname: 'sold.example', verified: false });
    const theirs = (await getStore(registry, 'all', after.storeId)).domains.find(
      ({ hostname }) => hostname === 'sold.example',
    );
    expect(theirs?.challenge).not.toBe(challenge);
    const [again] = await before.put(on('a', 'sold.example'));
    expect(again?.errors?.[0]?.msg).toContain('not a domain of this store');
  });
});
