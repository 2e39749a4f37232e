import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealText } from '../../../server/src/platform/database/sealed-texts.ts';
import { secretsOf } from '../../../server/src/platform/secrets/testing.ts';
import { proveHost, type TestService, testService } from '../../../server/src/testing.ts';
import { runCli } from '../testing.ts';

let service: TestService;
const STRANGER = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b09';
let merchantId: string;
let storeId: string;
/** TXT records that DNS returns for any name. */
const txt: string[] = [];
beforeAll(async () => {
  service = await testService({
    // nothing listens there
    settings: { TOUCHSTONE_FETCH_CONNECT_TO: 'www.shop.example=127.0.0.1:1' },
    overrides: { resolveTxt: async () => ({ records: txt }) },
  });
});
afterAll(() => service.dispose());

const cli = (...argv: string[]) =>
  runCli(argv, { env: { TOUCHSTONE_KEY: service.operatorKey ?? '', TOUCHSTONE_SERVICE: service.url } });
/** The JSON output of a command. */
async function told(...argv: string[]): Promise<Record<string, unknown>> {
  const ran = await cli(...argv, '--json');
  expect([argv.join(' '), ran.code, ran.err]).toEqual([argv.join(' '), 0, '']);
  return ran.json();
}

describe('the registry on the command line', () => {
  it('starts empty, and says how to continue', async () => {
    expect((await cli('merchants', 'list')).out).toContain('touchstone merchants create');
    expect((await cli('stores', 'list')).out).toContain('touchstone stores create');
    expect((await cli('status')).out).toContain('touchstone stores create');
    const early = await cli('stores', 'create', '--url', 'https://shop.example');
    expect([early.code, early.err]).toEqual([64, expect.stringContaining('There is no merchant yet.')]);
  });

  it('exits with 64 on a wrong request, with 3 on a missing object, and names code and request for programs', async () => {
    const wrong = await cli('products', 'list', STRANGER, '--cursor', 'x');
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('touchstone stores list')]);
    expect((await cli('stores', 'show', STRANGER, '--json')).json()).toEqual({
      error: {
        code: 'store_unknown',
        message: 'No such store.',
        hint: 'To list those that the key may see: touchstone stores list',
        requestId: expect.any(String),
      },
    });
  });

  it('creates, shows and changes a merchant', async () => {
    const made = await cli('merchants', 'create', '--name', 'Potter', '--capacity', '2', '--json');
    merchantId = String(made.json().id);
    expect((await cli('merchants', 'create', '--name', 'Other', '--capacity', '1')).out).toContain(
      'Next: touchstone keys create --merchant-id ',
    );
    expect(await told('merchants', 'update', merchantId, '--capacity', '3', '--name', 'Pots')).toMatchObject({
      name: 'Pots',
      planCapacity: 3,
    });
    expect(await told('merchants', 'update', merchantId, '--pause')).toMatchObject({ paused: true });
    expect((await cli('merchants', 'show', merchantId)).out).toMatch(/Pots[\s\S]*0 of 3 seats held, paused/);
    expect(await told('merchants', 'update', merchantId, '--resume')).toMatchObject({ paused: false });
    expect((await told('merchants', 'list')).merchants).toHaveLength(2);
    for (const wrong of [
      ['merchants', 'update', merchantId],
      ['merchants', 'update', merchantId, '--capacity', 'many'],
      ['merchants', 'update', merchantId, '--pause', '--resume'],
      ['merchants', 'create', '--name', 'x'],
    ])
      expect((await cli(...wrong)).code).toBe(64);
    for (const capacity of ['-3', 'many', '10000001'])
      expect((await cli('merchants', 'update', merchantId, '--capacity', capacity)).err).toContain(
        `--capacity must be a whole number from 0 to 10000000, not “${capacity}”.`,
      );
  });

  it('creates a store, and says how to prove its domain, starting with the method that suits its platform', async () => {
    expect((await cli('stores', 'create', '--url', 'https://shop.example')).err).toContain('--merchant-id');
    const address = ['--url', 'https://shop.example', '--merchant-id', merchantId];
    const made = await cli('stores', 'create', ...address, '--platform', 'shopify', '--sign-images');
    expect(made.code).toBe(0);
    storeId = /id +([0-9a-f-]{36})/.exec(made.out)?.[1] ?? '';
    const behind = await cli('products', 'list', storeId, '--cursor', 'x');
    expect([behind.code, behind.err]).toEqual([64, expect.stringContaining('The cursor is not from')]);
    expect(made.err).toBe('');
    expect((await cli('products', 'list', storeId)).out).toBe(
      `The store has no products. Send the catalogue: touchstone import <file or address> --store ${storeId}\n`,
    );
    const twin = await cli('stores', 'create', '--url', 'https://shop.example/', '--merchant-id', merchantId);
    expect([twin.code, twin.err]).toEqual([
      3,
      expect.stringMatching(
        new RegExp(`store ${storeId} .* has this address\\. [^]*touchstone import .* --store ${storeId}`),
      ),
    ]);
    expect(
      (await cli('stores', 'create', '--url', 'shop.example', '--merchant-id', merchantId)).err,
    ).toContain('Write it with https:// in front.');
    const { stores } = await told('stores', 'list', '--merchant-id', merchantId);
    expect(stores).toMatchObject([{ id: storeId, platform: 'shopify' }]);
    const shown = await told('stores', 'show', storeId);
    const [{ challenge }] = shown.domains as [{ challenge: string }];
    expect(made.out).toContain(
      [
        'To prove that you control shop.example, do one of these:',
        '  1. This in the <head> of https://shop.example/',
        `       <meta name="touchstone-challenge" content="${challenge}">`,
        '     Online Store > Themes > … > Edit code > layout/theme.liquid, after <head>.',
        '  2. A TXT record of DNS with this value, named _touchstone-challenge.shop.example',
        `       ${challenge}`,
      ].join('\n'),
    );
    expect(made.out).toContain(`touchstone domains verify ${storeId} shop.example\n`);
    expect(
      await told('stores', 'update', storeId, '--no-sign-images', '--platform', 'woocommerce'),
    ).toMatchObject({
      signImages: false,
      platform: 'woocommerce',
    });
    expect((await cli('stores', 'update', storeId)).code).toBe(64);
    expect((await cli('stores', 'show', merchantId)).code).toBe(3);
  });

  it('names the setting if a domain cannot be proven because of its port', async () => {
    const address = ['--url', 'https://port.example:8443', '--merchant-id', merchantId];
    const { id } = (await told('stores', 'create', ...address)) as { id: string };
    const verify = ['domains', 'verify', id, 'port.example'];
    expect((await cli(...verify)).out).toContain('TOUCHSTONE_FETCH_PORTS');
    expect((await cli(...verify, '--json')).json().nextStep).toContain('TOUCHSTONE_FETCH_PORTS');
    expect((await cli('stores', 'delete', id, '--yes')).code).toBe(0);
  });

  it('adds, lists, proves and removes domains', async () => {
    const added = await told('domains', 'add', storeId, 'www.shop.example');
    const methods = (added.ways as { method: string; where: string }[]).map(({ method, where }) => [
      method,
      where,
    ]);
    expect(methods).toEqual([
      ['well_known', 'https://www.shop.example/.well-known/touchstone-challenge'],
      ['meta_tag', 'https://www.shop.example/'],
      ['dns_txt', '_touchstone-challenge.www.shop.example'],
    ]);
    const listed = await cli('domains', 'list', storeId);
    expect(listed.code).toBe(2);
    expect(listed.out).toMatch(
      /shop\.example +not proven\n[\s\S]*To prove that you control www\.shop\.example/,
    );
    const failed = await cli('domains', 'verify', storeId, 'www.shop.example');
    expect(failed.code).toBe(1);
    expect(failed.out).toMatch(
      /^Not proven\.\n {2}- https:\/\/www\.shop\.example\/\.well-known[\s\S]*To prove/,
    );
    txt.push(String(added.challenge));
    expect(await told('domains', 'verify', storeId, 'www.shop.example')).toMatchObject({ method: 'dns_txt' });
    expect((await cli('domains', 'verify', storeId, 'www.shop.example')).out).toContain('is proven');
    txt.length = 0;
    const missed = await cli('domains', 'verify', storeId, 'www.shop.example');
    expect([missed.code, missed.out]).toEqual([
      1,
      expect.stringMatching(/^Not found now\. The earlier proof counts until 2\S+Z\.\n/),
    ]);
    const missing = await cli('domains', 'list', storeId);
    expect(missing.out).toMatch(/www\.shop\.example +proven until \S+: challenge not found since /);
    expect(missing.out).toContain(
      `Looked for ${added.challenge}\n  - _touchstone-challenge.www.shop.example: There is no TXT`,
    );
    expect((await cli('domains', 'history', storeId, 'www.shop.example')).out).toMatch(
      /^ {2}\S+Z +requested +missed +There is no TXT.*\n {2}\S+Z +requested +found +dns_txt\n$/,
    );
    expect((await cli('domains', 'remove', storeId, 'www.shop.example')).code).toBe(64);
    expect(await told('domains', 'remove', storeId, 'www.shop.example', '--yes')).toMatchObject({
      removed: true,
    });
    expect(((await cli('domains', 'list', storeId, '--json')).json().domains as unknown[]).length).toBe(1);
  });

  it('lists products by filters, page by page, and shows, hides and deletes one', async () => {
    const rows = ['cup', 'pot', 'mug', 'jug'].map((id) => ({
      externalProductId: id,
      name: `Blue ${id}`,
      sku: `SKU-${id}`,
      url: `https://shop.example/${id}`,
    }));
    await service.operate('PUT', `/api/v1/registry/stores/${storeId}/products`, rows);
    const names = async (...more: string[]) => {
      const { products, nextCursor } = await told('products', 'list', storeId, ...more);
      return [
        ...(products as { externalProductId: string }[]).map((one) => one.externalProductId),
        nextCursor,
      ];
    };
    expect(await names()).toEqual(['cup', 'pot', 'mug', 'jug', undefined]);
    expect(await names('--state', 'no_slot')).toEqual(['jug', undefined]);
    expect(await names('--q', 'blu mu')).toEqual(['mug', undefined]);
    expect(await names('--sku', 'SKU-pot', '--external-id', 'pot')).toEqual(['pot', undefined]);
    expect(await names('--updated-since', '2099-01-01T00:00:00Z')).toEqual([undefined]);
    const [, , cursor] = await names('--limit', '2');
    expect(await names('--limit', '2', '--cursor', String(cursor))).toEqual(['mug', 'jug', undefined]);
    expect((await cli('products', 'list', storeId, '--limit', '3')).out).toMatch(/There are more: --cursor /);
    expect((await cli('products', 'list', storeId, '--limit', 'all')).code).toBe(64);
    expect((await cli('products', 'list', storeId, '--updated-since', 'today')).code).toBe(64);
    const { products } = await told('products', 'list', storeId, '--q', 'cup');
    const [{ id }] = products as [{ id: string }];
    const shown = await cli('products', 'show', id);
    expect(shown.out).toContain(`${service.url}/api/v1/mc4p/products/${id}/certificate`);
    expect(await told('products', 'hide', id)).toMatchObject({ state: 'hidden' });
    expect((await cli('products', 'show', id)).out).toContain('touchstone products unhide');
    expect(await told('products', 'unhide', id)).toMatchObject({ visible: true });
    const none = await cli('products', 'unhide', '--store', storeId, '--q', 'teapot');
    expect([none.code, none.out]).toEqual([0, '0 products were shown.\n']);
    expect((await cli('products', 'list', storeId, '--q', 'teapot')).out).toBe(
      'No product of the store matches.\n',
    );
    const { changes } = await told('products', 'hide', '--store', storeId, '--q', 'cup');
    expect(changes).toMatchObject([{ kind: 'hide', done: 1, changed: 1 }]);
    expect((await told('products', 'show', id)).visible).toBe(false);
    const [{ id: change }] = changes as [{ id: string }];
    expect(await told('products', 'undo', change)).toMatchObject({ changes: [{ kind: 'show', changed: 1 }] });
    expect((await told('products', 'show', id)).visible).toBe(true);
    await told('products', 'delete', id);
    expect(await names('--state', 'deleted')).toEqual(['cup', undefined]);
  });

  it('finds the certificate of a page: on an unproven host only with a key', async () => {
    const address = 'https://shop.example/pot?gclid=1';
    const stranger = await runCli(['certificates', 'find', address, '--service', service.url]);
    expect([stranger.code, stranger.out]).toEqual([2, expect.stringContaining('its own API key')]);
    const found = await cli('certificates', 'find', address);
    expect([found.code, found.json().url]).toEqual([0, 'https://shop.example/pot']);
    const none = await runCli(['certificates', 'find', 'https://shop.example/cup', '--service', service.url]);
    expect([none.code, none.out]).toEqual([2, expect.stringContaining('page_uncertified')]);
  });

  it('shows the state of a store on one screen, and what to do next', async () => {
    const status = await cli('status');
    expect(status.code).toBe(2);
    expect(status.out).toMatch(/^.*\nSomething is to be done: domains\. In progress: certificates\.\n/);
    expect(status.out).toContain('  domains       to do    shop.example: not proven\n');
    expect(status.out).toContain('  products      ok       3 of 3 publish a certificate\n');
    expect(status.out).toContain(
      `  - Prove that shop.example is yours: touchstone domains list ${storeId}\n`,
    );
    await told('merchants', 'update', merchantId, '--capacity', '2');
    const { json } = await cli('status', storeId, '--json');
    expect(json()).toMatchObject({
      store: { id: storeId },
      standing: { domains: 'open', products: 'open', imports: 'well' },
      imports: { source: null, last: null },
      shopify: null,
      products: { total: 3, states: { active: 2, no_slot: 1, deleted: 1 } },
      images: { total: 0 },
      changes: [],
      toDo: [expect.stringContaining('shop.example'), expect.stringContaining('increase the capacity')],
    });
    expect((await cli('status', merchantId)).code).toBe(3);
  });

  it('reports an import that is in progress', async () => {
    await service.database.query(
      `insert into imports (merchant_id, id, store_id, url, kind, prune, scheduled, state, created, created_at, begun_at)
       values ($3, $1, $1, $2, 'auto', 'never', false, 'running', 3, now(), now())`,
      [
        storeId,
        sealText(
          (await secretsOf(service)).seal,
          'imports',
          { id: storeId, merchantId },
          'https://shop.example/feed',
        ),
        merchantId,
      ],
    );
    expect((await cli('status', storeId)).out).toMatch(
      / {2}imports +working +https:\/\/shop\.example\/feed: being read since [\d\-T:.]+Z, 3 products, 0 failed/,
    );
    await service.database.query('delete from imports');
  });

  it('reports what is fine, and what failed', async () => {
    await service.operate('PATCH', `/api/v1/registry/merchants/${merchantId}`, { planCapacity: 10 });
    await proveHost(service, 'shop.example', merchantId);
    await service.database.query('delete from certificate_due');
    // the proof of control has the certificates of the store made anew, which no node does here
    await service.database.query('update certificate_stores set visit_after = null');
    const well = await cli('status', storeId);
    expect([well.code, well.out]).toEqual([
      0,
      expect.stringMatching(/Everything is in order\.\n[\s\S]*There is nothing to do\.\n$/),
    ]);
    expect((await cli('domains', 'list', storeId)).code).toBe(0);
    await service.database.query('update domains set lost_at = now()');
    expect((await cli('status', storeId)).code).toBe(1);
    await service.database.query('update domains set lost_at = null');
  });

  it('deletes a store only after confirmation', async () => {
    const asked = await cli('stores', 'delete', storeId);
    expect([asked.code, asked.err]).toEqual([
      64,
      expect.stringContaining('https://shop.example with its 3 products'),
    ]);
    expect(await told('stores', 'delete', storeId, '--yes')).toMatchObject({ deleted: true });
    expect((await cli('stores', 'show', storeId)).code).toBe(3);
  });

  it('shows an example with every command', async () => {
    for (const command of [
      'merchants create',
      'stores update',
      'domains verify',
      'products list',
      'status',
    ]) {
      const { out } = await runCli([...command.split(' '), '--help']);
      expect(out).toContain(`Example:
  touchstone ${command}`);
      expect(out).toContain('Exit codes:');
    }
  });
});
