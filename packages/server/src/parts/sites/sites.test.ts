import { randomUUID } from 'node:crypto';
import { RESEMBLANCE_KINDS } from '@touchstone/certificate/schema';
import { SITE_QUESTIONS_PER_MINUTE } from '@touchstone/contract';
import { RESEMBLANCES } from '@touchstone/lookalikes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../parts.ts';
import { startService } from '../../start/start-service.ts';
import { databaseUrl, proveHost, type TestService, testService } from '../../testing.ts';

let service: TestService;

beforeAll(async () => {
  service = await testService({ settings: { TOUCHSTONE_TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => service.dispose());

const month = () => new Date().toISOString().slice(0, 7);
/** A name of its own for each test, far from all others. */
const newName = () =>
  Array.from(
    randomUUID().replaceAll('-', '').slice(0, 14),
    (hex) => 'bcdfghjklmnpqrst'[Number.parseInt(hex, 16)],
  ).join('');

interface Shop {
  readonly merchantId: string;
  readonly storeId: string;
  readonly name: string;
  readonly host: string;
}

async function addShop(name = newName(), isProven = true): Promise<Shop> {
  const host = `${name}.example`;
  const merchant = (await service.operate('POST', '/api/v1/registry/merchants', {
    name: 'M',
    planCapacity: 5,
  })) as { id: string };
  const body = { merchantId: merchant.id, name: 'Shop', url: `https://${host}/` };
  const store = (await service.operate('POST', '/api/v1/registry/stores', body)) as { id: string };
  if (isProven) await prove(host, merchant.id);
  return { merchantId: merchant.id, storeId: store.id, name, host };
}

/** Proves it past the service, which hears of it a moment later. */
async function prove(host: string, merchantId: string): Promise<void> {
  await proveHost(service, host, merchantId);
  await expect.poll(async () => (await ask(host)).json.status).toBe('proven');
}

let asked = 0;
/** Each question from another network, so that no test spends the budget of another. */
const anotherNetwork = () => {
  asked += 1;
  return `198.${18 + (asked >> 8)}.${asked & 255}.1`;
};
async function ask(host: string, { url = service.url, from = anotherNetwork(), key = '' } = {}) {
  const response = await fetch(`${url}/api/v1/mc4p/sites?url=${encodeURIComponent(`https://${host}/`)}`, {
    headers: { 'x-forwarded-for': from, ...(key === '' ? {} : { authorization: `Bearer ${key}` }) },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

const optOut = ({ merchantId }: Shop, isOut: boolean) =>
  service.operate('PUT', `/api/v1/registry/merchants/${merchantId}/sites`, { optOut: isOut });

describe('what is known of a site', () => {
  it('says of a proven host since which month, and whether it publishes certificates', async () => {
    const { host, storeId, name } = await addShop();
    const { status, json } = await ask(host);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      host,
      status: 'proven',
      provenSince: month(),
      publishesCertificates: false,
    });
    const row = { externalProductId: '1', url: `https://${host}/1`, name: 'Cup', images: [] };
    await service.operate('PUT', `/api/v1/registry/stores/${storeId}/products`, [row]);
    expect((await ask(host)).json.publishesCertificates).toBe(true);
    expect((await ask(`${name}-outlet.example`)).json).toMatchObject({
      status: 'nothing_known',
      resembles: [{ host, provenSince: month(), kinds: ['added_words'] }],
    });
  });

  it('tells a resemblance as a fact, and none of a host below the same domain', async () => {
    const { host, name } = await addShop();
    const { json } = await ask(`${host}.somebody.example`);
    expect(json.resembles[0].statement).toMatch(
      new RegExp(
        `^Resembles ${host}, which was proven by its owner in \\w+ \\d{4}, and is none of its proven hosts\\.$`,
      ),
    );
    expect(JSON.stringify(json)).not.toMatch(/fraud|fake/i);
    expect((await ask(`shop.${name}.example`)).json).not.toHaveProperty('resembles');
  });

  it('names no host of a merchant as resembled by a domain on which that merchant has proven a host', async () => {
    const shop = await addShop();
    const other = `www.${shop.name}.test`;
    await service.operate('POST', `/api/v1/registry/stores/${shop.storeId}/domains`, { hostname: other });
    expect((await ask(`${shop.name}.test`)).json.resembles).toHaveLength(1);
    await prove(other, shop.merchantId);
    expect((await ask(`${shop.name}.test`)).json).not.toHaveProperty('resembles');
  });

  it('answers of unknown, unproven and opted-out hosts alike, byte for byte', async () => {
    const unproven = await addShop(newName(), false);
    const out = await addShop();
    await optOut(out, true);
    const unknown = newName();
    const answers = [];
    for (const name of [unknown, unproven.name, out.name]) {
      const { status, headers, text } = await ask(`${name}.example`);
      const rest = Object.fromEntries(
        [...headers].filter(([key]) => !['date', 'etag', 'x-request-id'].includes(key)),
      );
      answers.push(JSON.stringify([status, rest, text.replaceAll(name, 'NAME')]));
    }
    expect(new Set(answers).size).toBe(1);
    expect((await ask(`${out.name}-outlet.example`)).json).not.toHaveProperty('resembles');
    await optOut(out, false);
    expect((await ask(out.host)).json.status).toBe('proven');
  });

  it('tells a merchant that has opted out of its own hosts by its own key alone, in answers that nobody keeps', async () => {
    const [out, other] = [await addShop(), await addShop()];
    await optOut(out, true);
    const keyOf = async ({ merchantId }: Shop) =>
      (
        (await service.operate('POST', `/api/v1/registry/merchants/${merchantId}/api-keys`)) as {
          key: string;
        }
      ).key;
    const [own, others] = [await keyOf(out), await keyOf(other)];
    const proven = await ask(out.host, { key: own });
    expect([proven.json.status, proven.headers.get('cache-control')]).toEqual(['proven', 'no-store']);
    const lookalike = `${out.name}-outlet.example`;
    expect((await ask(lookalike, { key: own })).json.resembles).toMatchObject([{ host: out.host }]);
    for (const key of [others, service.operatorKey]) {
      expect((await ask(out.host, { key })).json.status).toBe('nothing_known');
      expect((await ask(lookalike, { key })).json).not.toHaveProperty('resembles');
    }
  });

  it('does not count an ownership row that the service did not write', async () => {
    const shop = await addShop();
    const other = `${newName()}.example`;
    expect((await ask(shop.host)).json.status).toBe('proven');
    await service.database.query(
      `update hostname_owners set hostname = '${other}' where hostname = '${shop.host}'`,
    );
    await service.database.query(`select announce_changes(array['*'])`);
    await expect.poll(async () => (await ask(shop.host)).json.status).toBe('nothing_known');
    expect((await ask(other)).json.status).toBe('nothing_known');
    await service.database.query(`delete from hostname_owners where hostname = '${other}'`);
  });

  it('is the same on another node, within a second of each change', async () => {
    const node = await startService(
      readConfig({
        TOUCHSTONE_PORT: '0',
        TOUCHSTONE_DATA_DIR: service.dataDir,
        TOUCHSTONE_DATABASE_URL: databaseUrl(service.database),
        TOUCHSTONE_DATABASE_CONNECTIONS: '4',
        TOUCHSTONE_TRUST_PROXY: '127.0.0.1',
        TOUCHSTONE_IMAGE_CONCURRENT: '0',
      }),
    );
    try {
      const shop = await addShop();
      const there = () => ask(shop.host, { url: node.url });
      await expect.poll(async () => (await there()).json.status).toBe('proven');
      await optOut(shop, true);
      await expect.poll(async () => (await there()).json.status).toBe('nothing_known');
    } finally {
      await node.close();
    }
  });

  it('limits the questions of one caller', async () => {
    const from = '203.0.113.9';
    for (let count = 0; count < SITE_QUESTIONS_PER_MINUTE; count += 1) {
      expect((await ask('unknown.example', { from })).status).toBe(200);
    }
    const { status, json, headers } = await ask('unknown.example', { from });
    expect([status, json.code]).toEqual([429, 'site_budget_spent']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

it('the contract lists the kinds of resemblance that are found', () => {
  expect(RESEMBLANCE_KINDS).toEqual(RESEMBLANCES);
});
