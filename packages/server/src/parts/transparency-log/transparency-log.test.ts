import { createHash, randomUUID } from 'node:crypto';
import { parseLeaf, parseLogProof, saltedHash, verifyLogProof } from '@touchstone/certificate/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proveHost, type TestService, testService } from '../../testing.ts';
import { sha256 } from './sha256.ts';
import { fetchPolicy, readLog } from './testing.ts';

const BASE_URL = 'https://certificates.example';
const YEAR = new Date().getUTCFullYear();
const LOG = '/api/v1/mc4p/log';
const settings = { TOUCHSTONE_BASE_URL: BASE_URL, TOUCHSTONE_CERTIFICATES_AHEAD: 'false' };
/** However busy the machine. */
const overrides = { logPatience: 60_000 };

let service: TestService;

beforeAll(async () => {
  service = await testService({ settings, overrides });
});
afterAll(() => service.dispose());

interface Shop {
  readonly merchantId: string;
  readonly storeId: string;
  readonly host: string;
}

async function addShop(host = `${randomUUID()}.example`): Promise<Shop> {
  const merchant = (await service.operate('POST', '/api/v1/registry/merchants', {
    name: 'M',
    planCapacity: 500,
  })) as {
    id: string;
  };
  const body = { merchantId: merchant.id, name: 'Shop', url: `https://${host}/` };
  const store = (await service.operate('POST', '/api/v1/registry/stores', body)) as { id: string };
  return { merchantId: merchant.id, storeId: store.id, host };
}

async function addProduct({ storeId, host }: Shop, name: string = randomUUID(), images = 0): Promise<string> {
  const row = {
    externalProductId: name,
    url: `https://${host}/${name}`,
    name,
    images: Array.from({ length: images }, (_, at) => ({ url: `https://${host}/${name}-${at}.jpg` })),
  };
  const put = (await service.operate('PUT', `/api/v1/registry/stores/${storeId}/products`, [row])) as {
    results: { id: string }[];
  };
  return put.results[0]?.id ?? '';
}

type Document = Readonly<Record<string, unknown>> & { readonly proof: { readonly jwt: string } };

async function get(path: string): Promise<Response> {
  const response = await fetch(service.url + path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

const certificate = async (id: string) =>
  (await (await get(`/api/v1/mc4p/products/${id}/certificate`)).json()) as Document;

const hashOf = (jwt: string) => createHash('sha256').update(jwt).digest('base64url');

describe('the transparency log', () => {
  it('has a proof before its certificate is served, which carries the inclusion: an auditor finds it in tiles and checkpoint', async () => {
    const shop = await addShop();
    const id = await addProduct(shop);
    const document = await certificate(id);
    const finding = await verifyLogProof(document, undefined, { policy: await fetchPolicy(service) });
    expect(finding).toMatchObject({ status: 'logged', reason: 'logged_not_witnessed' });
    expect(String(document['svc:logProof']).length).toBeLessThanOrEqual(2_048);
    const log = await readLog(service, YEAR);
    const leaf = log.leaves[finding.index ?? -1];
    expect(leaf).toMatchObject({ kind: 'product', domain: shop.host });
    expect(leaf?.proof).toBe(createHash('sha256').update(document.proof.jwt).digest('base64url'));
    const proof = await (await get(`${LOG}/proofs/${hashOf(document.proof.jwt)}`)).text();
    expect((await verifyLogProof(document, proof, { policy: await fetchPolicy(service) })).status).toBe(
      'logged',
    );
  });

  it('staples the inclusion to product, asset and image documents, the same bytes from memory, database and another node', async () => {
    const id = await addProduct(await addShop(), undefined, 1);
    const product = await certificate(id);
    const [image] = product['svc:images'] as { certification: { 'svc:assetId': string } }[];
    const assetId = image?.certification['svc:assetId'] ?? '';
    const paths = [
      `/api/v1/mc4p/products/${id}/certificate`,
      `/api/v1/mc4p/assets/${assetId}/certificate`,
      `/api/v1/mc4p/${assetId}/certificate?full=true`,
    ];
    const policy = await fetchPolicy(service);
    const read = async () => Promise.all(paths.map(async (path) => (await get(path)).text()));
    const before = await read();
    for (const text of before)
      expect(await verifyLogProof(JSON.parse(text), undefined, { policy })).toMatchObject({
        status: 'logged',
      });
    const kinds = before.map((text) =>
      parseLogProof((JSON.parse(text) as Document)['svc:logProof'] as string),
    );
    expect(
      kinds.map((one) => one !== 'log_proof_malformed' && one.extra && parseLeaf(one.extra)?.kind),
    ).toEqual(['product', 'asset', 'image']);
    // leaves that follow change neither
    await certificate(await addProduct(await addShop()));
    expect(await read()).toEqual(before);
    service = await service.restart(settings, overrides);
    expect(await read()).toEqual(before);
  });

  it('tells what was issued for a domain and its subdomains, newest first; ids and salts only to who has proven it', async () => {
    const host = `${randomUUID()}.example`;
    const shop = await addShop(host);
    const sub = await addShop(`www.${host}`);
    const [first, second] = [await addProduct(shop, 'first'), await addProduct(sub, 'second')];
    const documents = [await certificate(first), await certificate(second)];
    const entries = async (query = '', headers = {}) =>
      (await (await fetch(`${service.url}${LOG}/domains/${host}${query}`, { headers })).json()) as {
        entries: Record<string, string>[];
        nextCursor?: string;
        statement: string;
      };
    const shown = await entries();
    expect(shown.statement).toBe('logged, not witnessed');
    expect(shown.entries.map(({ domain, proof }) => [domain, proof])).toEqual([
      [`www.${host}`, hashOf(documents[1]?.proof.jwt ?? '')],
      [host, hashOf(documents[0]?.proof.jwt ?? '')],
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/first|second|"id"|salt/);
    const page = await entries('?limit=1');
    expect((await entries(`?limit=1&cursor=${page.nextCursor}`)).entries).toEqual(shown.entries.slice(1));
    const opened = await entries('', { authorization: `Bearer ${service.operatorKey}` });
    expect(opened.entries.map(({ id, name }) => [id, name])).toEqual([
      [second, 'second'],
      [first, 'first'],
    ]);
    for (const { salt = '', id = '', subject } of opened.entries)
      expect(
        Buffer.from(saltedHash(Buffer.from(salt, 'base64url'), 'product', id, sha256)).toString('base64url'),
      ).toBe(subject);
    // neither a parent of a name that only ends alike, nor a part of a label
    expect((await (await get(`${LOG}/domains/x${host}`)).json()) as object).toMatchObject({ entries: [] });
    const feed = await get(`${LOG}/domains/${host}/feed`);
    expect(feed.headers.get('content-type')).toContain('application/atom+xml');
    expect((await feed.text()).match(/<entry>/g)).toHaveLength(2);
  });

  it('shows people a page of what was issued for a domain, and gives programs the same as JSON, neither to be stored', async () => {
    const shop = await addShop();
    const document = await certificate(await addProduct(shop, 'Unlaunched'));
    const ask = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(`${service.url}${LOG}/domains/${path}`, { headers });
      const { headers: given, status } = answer;
      return { status, type: given.get('content-type'), given, text: await answer.text() };
    };
    const html = { accept: 'text/html,*/*;q=0.8' };
    const page = await ask(`${shop.host}?lang=es`, html);
    const json = await ask(shop.host, { accept: 'application/json' });
    expect([page.type, json.type]).toEqual(['text/html; charset=utf-8', 'application/json']);
    for (const { given } of [page, json]) {
      expect(given.get('cache-control')).toBe('no-store');
      expect(given.get('vary')).toContain('Accept');
    }
    const data = /id="data">(.*)<\/script>/.exec(page.text)?.[1] ?? '';
    expect(JSON.parse(data).answer).toEqual(JSON.parse(json.text));
    expect(json.text).toContain(hashOf(document.proof.jwt));
    expect(page.text + json.text).not.toContain('Unlaunched');
    expect(page.text).toContain(`<title>Lo que se emitió para ${shop.host}`);
    const known = await ask(shop.host, { ...html, authorization: `Bearer ${service.operatorKey}` });
    expect([known.text.includes('Unlaunched'), known.given.get('cache-control')]).toEqual([true, 'no-store']);
    expect(await ask('No_Host!', html)).toMatchObject({ status: 422, type: 'text/html; charset=utf-8' });
  });

  it('has only a hash of the domain of a merchant that hides it, from then on', async () => {
    const shop = await addShop();
    const path = `/api/v1/registry/merchants/${shop.merchantId}/log`;
    expect(await service.operate('GET', path)).toEqual({ hideDomain: false });
    expect(await service.operate('PUT', path, { hideDomain: true })).toEqual({ hideDomain: true });
    const document = await certificate(await addProduct(shop));
    const read = parseLogProof(document['svc:logProof'] as string);
    const leaf = read === 'log_proof_malformed' || read.extra === undefined ? null : parseLeaf(read.extra);
    expect(leaf).not.toHaveProperty('domain');
    expect(await verifyLogProof(document, undefined, { policy: await fetchPolicy(service) })).toMatchObject({
      status: 'logged',
    });
    const asked = await fetch(`${service.url}${LOG}/domains/${shop.host}`);
    expect(await asked.json()).toMatchObject({ entries: [] });
    const opened = (await service.operate('GET', `${LOG}/domains/${shop.host}`)) as {
      entries: { salt: string }[];
    };
    const salt = Buffer.from(opened.entries[0]?.salt ?? '', 'base64url');
    expect(Buffer.from(saltedHash(salt, 'domain', shop.host, sha256)).toString('base64url')).toBe(
      leaf?.domainHash,
    );
  });

  it('tells who has proven a domain of all that is issued for it and below it, by whichever merchant', async () => {
    const [owner, other] = [await addShop(), await addShop()];
    await proveHost(service, owner.host, owner.merchantId);
    await service.operate('POST', '/api/v1/registry/webhooks', {
      merchantId: owner.merchantId,
      url: 'https://hooks.example/',
      events: ['domain.issued'],
    });
    const below = await addShop(`www.${owner.host}`);
    await certificate(await addProduct(other));
    const document = await certificate(await addProduct(below));
    const read = () =>
      service.database.query<{ merchant_id: string; items: { domain: string; proof: string }[] }>(
        "select merchant_id, items from events where type = 'domain.issued'",
      );
    await expect.poll(async () => (await read()).length).toBe(1);
    expect(await read()).toMatchObject([
      {
        merchant_id: owner.merchantId,
        items: [
          { domain: below.host, proof: createHash('sha256').update(document.proof.jwt).digest('base64url') },
        ],
      },
    ]);
  });

  it('answers 404 for files that no checkpoint needs, tells caches how long to keep the others, and says that it is logged and not witnessed', async () => {
    const { size } = await readLog(service, YEAR);
    const statusOf = async (path: string) => (await fetch(`${service.url}${LOG}/${path}`)).status;
    expect(await statusOf(`${YEAR}/tile/0/000.p/${size}`)).toBe(200);
    expect(await statusOf(`${YEAR}/tile/0/000.p/${size + 1}`)).toBe(404);
    expect(await statusOf(`${YEAR}/tile/0/000`)).toBe(404);
    expect(await statusOf(`${YEAR}/tile/0/..%2fcheckpoint`)).toBe(404);
    expect(await statusOf(`${YEAR + 1}/checkpoint`)).toBe(404);
    expect(await statusOf(`proofs/${'A'.repeat(43)}`)).toBe(404);
    // one address for each: neither in hex, nor with other bits behind the last
    for (const hash of ['0'.repeat(64), `${'A'.repeat(42)}B`])
      expect(await statusOf(`proofs/${hash}`)).toBe(422);
    const cachedAs = async (path: string) => (await get(`${LOG}/${path}`)).headers.get('cache-control');
    const paths = ['policy', `${YEAR}/checkpoint`, `${YEAR}/tile/0/000.p/${size}`];
    expect(await Promise.all(paths.map(cachedAs))).toEqual([
      'public, max-age=3600',
      'public, max-age=2',
      'public, max-age=31536000, immutable',
    ]);
    const state = (await (await get(LOG)).json()) as {
      statement: string;
      logs: { year: number; status: string }[];
    };
    expect(state.statement).toBe('logged, not witnessed');
    expect(state.logs.map(({ year, status }) => [year, status])).toEqual([
      [YEAR, 'logged'],
      [YEAR + 1, 'logged'],
    ]);
    const policy = await fetchPolicy(service);
    expect(new Set(policy.logs.map(({ key }) => Buffer.from(key.publicKey).toString('hex'))).size).toBe(2);
  });
});
