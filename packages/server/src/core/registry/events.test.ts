import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emitterOf } from '../../parts.ts';
import { changesOf } from '../../platform/cache/changes.ts';
import { createDatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { changeImage } from '../certificates/testing.ts';
import { openProofKeys } from '../keys/open-proof-keys.ts';
import { actOnProducts } from './changes/product-actions.ts';
import { followChanges } from './changes/testing.ts';
import { undoChange } from './changes/undo-change.ts';
import { DAY } from './domains/control-schedule.ts';
import { addDomain, removeDomain } from './domains/domains.ts';
import { runDueChecks } from './domains/run-checks.ts';
import { verifyDomain } from './domains/verify-domain.ts';
import { patchMerchant } from './merchants/merchants.ts';
import { deleteProduct, patchProduct } from './products/change-product.ts';
import { addImages, removeImage } from './products/product-images.ts';
import { deleteStore, patchStore } from './stores/stores.ts';
import { fakeWeb, type TestRegistry, type TestShop, testRegistry, testShop } from './testing.ts';
import { withdrawProduct } from './withdrawals/withdraw-product.ts';

const emit = emitterOf({ without: [] });

let registry: TestRegistry;
let shop: TestShop;
let rival: TestShop;
let listener: pg.PoolClient;
let now = Date.now();
const heard: string[] = [];
const pages: Record<string, string> = {};
const { ports } = fakeWeb(pages);

/** Triggers note every row that is written, whoever writes it: what must be announced follows from them. */
const NOTES = `
  create table written (place text, product uuid, store uuid, merchant uuid, hostname text);
  create function note_product() returns trigger language plpgsql as $$ begin
    insert into written values ('products', new.id, new.store_id, new.merchant_id); return null; end $$;
  create function note_image() returns trigger language plpgsql as $$ begin
    insert into written select 'images', id, store_id, merchant_id from products where id = new.product_id; return null; end $$;
  create function note_store() returns trigger language plpgsql as $$ begin
    insert into written values ('stores', null, new.id, new.merchant_id); return null; end $$;
  create function note_domain() returns trigger language plpgsql as $$ begin
    insert into written values ('domains', null, coalesce(new.store_id, old.store_id)); return null; end $$;
  create function note_owner() returns trigger language plpgsql as $$ begin
    insert into written values ('hostname_owners', null, null, null, coalesce(new.hostname, old.hostname)); return null; end $$;
  create function note_merchant() returns trigger language plpgsql as $$ begin
    insert into written values ('merchants', null, null, new.id); return null; end $$;
  create trigger note after insert or update on products for each row execute function note_product();
  create trigger note after insert or update on images for each row execute function note_image();
  create trigger note after update on stores for each row execute function note_store();
  create trigger note after insert or update or delete on domains for each row execute function note_domain();
  create trigger note after insert or delete on hostname_owners for each row execute function note_owner();
  create trigger note after update of name, paused on merchants for each row
    when ((old.name, old.paused) is distinct from (new.name, new.paused)) execute function note_merchant()`;

beforeAll(async () => {
  registry = { ...(await testRegistry()), productsAtOnce: 2, clock: () => new Date(now) };
  await registry.database.query(NOTES);
  listener = await registry.database.open({ max: 1 }).pool.connect();
  listener.on('notification', ({ payload }) => void heard.push(payload ?? ''));
  await listener.query('listen touchstone_changed');
  shop = await testShop(registry, 'shop.example', 3);
  rival = await testShop(registry, 'rival.example');
  await shop.put(...['a', 'b', 'c', 'd', 'e'].map((id) => shop.row(id)));
  await rival.put(rival.row('a'));
});
afterAll(async () => {
  listener.release();
  await registry.close();
});

interface Written {
  readonly place: string;
  readonly product: string | null;
  readonly store: string | null;
  readonly merchant: string | null;
  readonly hostname: string | null;
}

const ids = async (which = 'deleted_at is null') => {
  const rows = await registry.database.query<{ id: string }>(
    `select id from products where store_id = $1 and ${which} order by created_order`,
    [shop.storeId],
  );
  return rows.map(({ id }) => id) as [string, string];
};
const images = async () =>
  (await registry.database.query<{ id: string }>('select id from images where removed_at is null')).map(
    ({ id }) => id,
  ) as [string];
const act = async (action: 'hide' | 'show' | 'withdraw' | 'delete', count: number) => {
  const productIds = (await ids()).slice(0, count);
  const { id } = await actOnProducts(
    registry,
    'all',
    shop.storeId,
    count > 2 ? { action, filter: {} } : { action, productIds },
  );
  await followChanges(registry);
  return id;
};
const prove = ({ storeId, challenge }: TestShop, hostname: string) => {
  pages[`https://${hostname}/.well-known/touchstone-challenge`] = challenge;
  return verifyDomain(registry, ports, 'all', storeId, hostname);
};

/** Everything that writes to the tables of the registry, in an order in which each has something to write. */
const OPERATIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  'products are added': () => shop.put(shop.row('f'), shop.row('g')),
  'products are updated, one added': () =>
    shop.put(shop.row('a', { name: 'New', images: [] }), shop.row('h'), shop.row('b', { visible: false })),
  'a product is renamed': async () => patchProduct(registry, 'all', (await ids())[0], { name: 'Newer' }),
  'a product is hidden, and its seat goes to another': async () =>
    patchProduct(registry, 'all', (await ids('slot_order is not null'))[0], { visible: false }),
  'a product is deleted': async () => deleteProduct(registry, 'all', (await ids())[0]),
  'a product comes back': () => shop.put(shop.row('a')),
  'images are added': async () =>
    addImages(registry, 'all', (await ids())[0], [{ url: 'https://shop.example/more.jpg' }]),
  'an image is scanned': async () =>
    changeImage(registry, (await images())[0], { media_type: 'image/png', width: 1 }),
  'an image is removed': async () => removeImage(registry, 'all', (await images())[0]),
  'two products are hidden': () => act('hide', 2),
  'all products are hidden': () => act('hide', 9),
  'certificates are withdrawn, and made anew': async () =>
    withdrawProduct(registry, 'all', (await ids())[0], { reissue: true }),
  'certificates of all products are withdrawn': () => act('withdraw', 9),
  'all products are shown': () => act('show', 9),
  'a deletion of all is undone': async () => {
    await undoChange(registry, 'all', await act('delete', 9));
    await followChanges(registry);
  },
  'a domain is added': () => addDomain(registry, 'all', shop.storeId, { hostname: 'more.example' }),
  'products move to it': () =>
    shop.put(...['a', 'b', 'c'].map((id) => shop.row(id, { url: `https://more.example/${id}` }))),
  'a domain is removed': async () => {
    await removeDomain(registry, 'all', shop.storeId, 'more.example');
    await followChanges(registry);
  },
  'a domain is regained': async () => {
    await addDomain(registry, 'all', shop.storeId, { hostname: 'more.example' });
    await followChanges(registry);
  },
  'a hostname that others claim is proven': async () => {
    const more = await addDomain(registry, 'all', rival.storeId, { hostname: 'more.example' });
    await prove({ ...rival, challenge: more.challenge }, 'more.example');
    await followChanges(registry);
  },
  'a proof ends': async () => {
    delete pages['https://more.example/.well-known/touchstone-challenge'];
    for (let day = 0; day < 40; day += 1) {
      now += DAY;
      await runDueChecks({ registry, ports }, () => {}, new AbortController().signal);
    }
  },
  'a store is renamed': () => patchStore(registry, 'all', shop.storeId, { name: 'Other' }),
  'a merchant is renamed': () => patchMerchant(registry, 'all', shop.merchantId, { name: 'Other' }),
  'a merchant is paused': () => patchMerchant(registry, 'all', shop.merchantId, { paused: true }),
  'a pause ends': () => patchMerchant(registry, 'all', shop.merchantId, { paused: false }),
  'the plan gets smaller': async () => {
    await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: 1 });
    await followChanges(registry);
  },
  'a store is deleted': async () => {
    await deleteStore(registry, 'all', shop.storeId);
    await followChanges(registry);
  },
};

it.each(Object.entries(OPERATIONS))(
  'if %s, everything written is announced, and its certificates are looked at',
  async (_, run) => {
    const { database } = registry;
    await database.query('truncate written');
    await database.query('delete from certificate_due');
    await database.query('update certificate_stores set visit_after = null');
    await database.query(
      `update jobs set state = 'idle', due_at = null, lease = null, leased_until = null where queue = 'certificates'`,
    );
    heard.length = 0;
    await run();
    // a session delivers pending notifications before it answers
    await listener.query('select');
    const announced = new Set<string>(heard.flatMap(changesOf));
    const rows = await database.query<Written>('select distinct * from written');
    expect(rows).not.toEqual([]);
    const isCovered = ({ product, store, merchant, hostname }: Written) =>
      [`p:${product}`, `s:${store}`, `m:${merchant}`, `h:${hostname}`].some((change) =>
        announced.has(change),
      );
    expect(rows.filter((row) => !isCovered(row))).toEqual([]);
    expect(
      await database.query(`
        select w.* from written w join stores s on s.id = w.store
        where product is not null and s.deleted_at is null
          and not exists (select from certificate_due where product_id = product)
          and not exists (select from certificate_stores c where c.store_id = store and visit_after is not null)`),
    ).toEqual([]);
    // whoever is to look at them is woken
    expect(
      await database.query(`
        select w.store from written w join jobs j on j.subject = w.store and j.queue = 'certificates'
        where place in ('products', 'images') and j.state not in ('ready', 'scheduled')`),
    ).toEqual([]);
  },
);

it('a key that is made, used or revoked is announced, and its revocation wakes every store', async () => {
  const { db, database } = registry;
  const secrets = createDatabaseSecrets(randomBytes(32));
  const clock = () => new Date(now);
  heard.length = 0;
  const keys = await openProofKeys({
    db,
    clock,
    secrets,
    onRevoked: (trx, revoked) => emit(trx, 'signingKeyRevoked', revoked),
  });
  const [kid = ''] = (await keys.list()).filter(({ activeFrom }) => activeFrom).map((key) => key.kid);
  await database.query(`update jobs set state = 'idle', due_at = null where queue = 'certificates'`);
  await keys.revoke(kid);
  await listener.query('select');
  expect(heard.filter((change) => change === `k:${kid}`)).toHaveLength(2);
  expect(new Set(heard)).toEqual(new Set((await keys.list()).map((key) => `k:${key.kid}`)));
  expect(await database.query(`select from jobs where queue = 'certificates' and state = 'idle'`)).toEqual(
    [],
  );
});

it('products are announced in few messages that name each once, and unchanged ones not at all', async () => {
  const many = Array.from({ length: 450 }, (_, number) => rival.row(`many-${number}`));
  heard.length = 0;
  await rival.put(...many);
  await listener.query('select');
  expect(heard).toHaveLength(3);
  expect(new Set(heard.flatMap(changesOf)).size).toBe(450);
  heard.length = 0;
  await rival.put(...many);
  await listener.query('select');
  expect(heard).toEqual([]);
});
