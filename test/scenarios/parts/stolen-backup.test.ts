import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { html, type TestPages, testPages } from '../../../packages/server/src/core/page-checks/testing.ts';
import { type TestService, testService } from '../../../packages/server/src/testing.ts';

const PHRASE = 'correct-horse-battery-staple';
const VISITOR = '198.51.100.77';
const HOST = 'strangers-shop.example';
const PAGE = `http://${HOST}/products/cup?session=MARK-session&email=MARK-email%40example.org&gclid=MARK-gclid`;
const HOOK = 'https://hooks.example/services/MARK-hook-path?token=MARK-hook-token';
const SOURCE = `http://${HOST}/MARK-feed-path/feed.json?token=MARK-feed-token`;

let pages: TestPages;
let service: TestService;

beforeAll(async () => {
  pages = await testPages();
  service = await testService({
    settings: {
      TOUCHSTONE_OPERATOR_KEY: PHRASE,
      TOUCHSTONE_TRUST_PROXY: '127.0.0.1',
      TOUCHSTONE_FETCH_CONNECT_TO: `${HOST}=127.0.0.1:${pages.port},hooks.example=127.0.0.1:${pages.port}`,
      TOUCHSTONE_IMPORT_INTERVAL_MS: '0',
    },
  });
});
afterAll(async () => {
  await service?.dispose();
  await pages?.close();
});

const REGISTRY = '/api/v1/registry';

async function call(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': VISITOR, ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, json: await answer.json() };
}

/** All that a copy of the database contains: every row of every table, as text. */
async function copyOfDatabase(): Promise<Map<string, string>> {
  const { query } = service.database;
  const tables = await query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const copy = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await query<{ text: string }>(`select t::text as text from "${name}" t`);
    copy.set(name, rows.map(({ text }) => text).join('\n'));
  }
  return copy;
}

test('a copy of the database without the master key shows nobody who asked, what they asked, and no secret', async () => {
  pages.answer((request, response) =>
    request.url?.startsWith('/MARK')
      ? html(response, 'no catalogue here', 403)
      : html(response, `<title>Cup</title><p>Signed in as MARK-reader</p><h1>MARK-heading</h1>`),
  );
  // a stranger checks pages, and guesses keys
  for (const freshness of ['cached', 'fresh'])
    expect((await call('POST', '/api/v1/mc4p/page-checks', { url: PAGE, freshness })).status).toBe(200);
  expect((await call('POST', '/console/session', { apiKey: 'MARK-guessed-key' }, own())).status).toBe(401);
  // the operator and a merchant work
  const operator = { authorization: `Bearer ${PHRASE}` };
  const once = { ...operator, 'idempotency-key': 'MARK-idempotency' };
  const merchant = await call('POST', `${REGISTRY}/merchants`, { name: 'M', planCapacity: 5 }, once);
  const merchantId = merchant.json.id;
  const key = await call('POST', `${REGISTRY}/merchants/${merchantId}/api-keys`, { label: 'l' }, operator);
  const session = await call('POST', '/console/session', { apiKey: key.json.key }, own());
  const cookie = String(session.headers.get('set-cookie')).split(/[=;]/)[1] ?? '';
  const store = await call(
    'POST',
    `${REGISTRY}/stores`,
    { merchantId, name: 'S', url: `http://${HOST}` },
    operator,
  );
  const storePath = `${REGISTRY}/stores/${store.json.id}`;
  const hook = await call('POST', `${REGISTRY}/webhooks`, { merchantId, url: HOOK }, operator);
  await call('POST', `${REGISTRY}/webhooks/${hook.json.id}/test`, {}, operator);
  const source = await call('PUT', `${storePath}/source`, { url: SOURCE, everyHours: 24 }, operator);
  expect(source.json).toMatchObject({ url: SOURCE });
  const imports = async () => (await service.operate('GET', `${storePath}/imports`)) as { imports: Json[] };
  await expect.poll(async () => (await imports()).imports[0]?.failure).toBeDefined();
  expect([session.status, hook.status]).toEqual([201, 201]);
  // it still answers with what it was given
  expect((await imports()).imports[0]?.url).toBe(SOURCE);
  expect(await service.operate('GET', `${REGISTRY}/webhooks/${hook.json.id}`)).toMatchObject({ url: HOOK });

  const secrets = [PHRASE, VISITOR, '127.0.0.1', key.json.key, hook.json.secret.slice(6), cookie, 'MARK'];
  const hashed = [PHRASE, key.json.key, cookie, PAGE, VISITOR, `ip:${VISITOR}`].flatMap((text) => {
    const hash = createHash('sha256').update(text).digest();
    return [hash.toString('hex'), hash.toString('base64'), hash.toString('base64url')];
  });
  const copy = await copyOfDatabase();
  // our own address is no visitor's
  for (const table of ['status_list_allocations', 'status_list_tokens', 'log_shards'])
    copy.set(
      table,
      (copy.get(table) ?? '')
        .replaceAll(service.url, '')
        .replaceAll(new URL(service.url).host, '')
        .replaceAll(Buffer.from(service.url).toString('base64url'), ''),
    );
  for (const empty of [
    'observations',
    'page_checks',
    'rate_windows',
    'console_sessions',
    'idempotency_keys',
    'webhooks',
    'imports',
  ])
    expect(copy.get(empty), empty).not.toBe('');
  for (const [table, text] of copy) {
    for (const secret of [...secrets, ...hashed]) {
      expect(text.includes(secret), `${secret} in ${table}`).toBe(false);
      expect(text.includes(Buffer.from(secret).toString('hex')), `${secret} in bytes of ${table}`).toBe(
        false,
      );
    }
  }
  for (const table of ['observations', 'page_checks', 'page_texts', 'fetch_leases', 'rate_windows'])
    expect(copy.get(table), table).not.toContain(HOST);
  // nor does the log
  const log = service.log.join('\n');
  for (const secret of secrets.filter((one) => one !== '127.0.0.1'))
    expect(log.includes(secret), `${secret} in the log`).toBe(false);
});

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was answered
type Json = any;

const own = () => ({ origin: service.url, 'sec-fetch-site': 'same-origin' });
