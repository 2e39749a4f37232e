import type { ProductProofs } from '@touchstone/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readOwner, updateOwner } from '../../platform/database/hostname-owners.ts';
import { secretsOf } from '../../platform/secrets/testing.ts';
import { proveHost, type TestService, testService } from '../../testing.ts';

const REGISTRY = '/api/v1/registry';
const DAY = 86_400_000;

let service: TestService;
let ahead = 0;
let merchantId: string;
let storeId: string;
beforeAll(async () => {
  service = await testService({ overrides: { clock: () => new Date(Date.now() + ahead) } });
  merchantId = await made('POST', '/merchants', { name: 'M', planCapacity: 9 });
  storeId = await made('POST', '/stores', { merchantId, name: 'S', url: 'https://shop.example' });
});
afterAll(() => service.dispose());

const operate = (method: string, path: string, body?: unknown) =>
  service.operate(method, `${REGISTRY}${path}`, body);
const made = async (method: string, path: string, body?: unknown) =>
  ((await operate(method, path, body)) as { id: string }).id;

/** Creates or replaces a product and returns its id. */
async function put(externalProductId: string, changes: object = {}): Promise<string> {
  const row = {
    externalProductId,
    name: 'Cup',
    url: `https://shop.example/${externalProductId}`,
    ...changes,
  };
  const { results } = (await operate('PUT', `/stores/${storeId}/products`, [row])) as {
    results: { id: string }[];
  };
  return results[0]?.id ?? '';
}

const serve = async (id: string) => {
  const answer = await fetch(`${service.url}/api/v1/mc4p/products/${id}/certificate`);
  return (await answer.json()) as { proof?: { jwt: string } };
};
const proofsOf = async (id: string, query = '') =>
  (await operate('GET', `/products/${id}/proofs${query}`)) as ProductProofs;
const told = async (id: string) =>
  (await proofsOf(id)).proofs.map(({ reason, state, changed }) => [state, reason, ...(changed ?? [])]);

it('states why each proof was made, and which is served', async () => {
  const id = await put('cup');
  expect((await proofsOf(id)).proofs).toEqual([]);
  const { proof } = await serve(id);
  expect(await told(id)).toEqual([['current', 'first']]);
  const [first] = (await proofsOf(id)).proofs;
  const header = Buffer.from(proof?.jwt.split('.')[0] ?? '', 'base64url').toString();
  expect(JSON.parse(header)).toMatchObject({ kid: first?.kid });
  expect(Date.parse(first?.expiresAt ?? '') - Date.parse(first?.issuedAt ?? '')).toBe(7 * DAY);

  await put('cup', { name: 'Blue cup', brand: 'Potter' });
  // the next one to ask has another made; until then none is served
  expect(await told(id)).toEqual([['valid', 'first']]);
  await serve(id);
  expect(await told(id)).toEqual([
    ['current', 'changed', 'name', 'brand'],
    ['valid', 'first'],
  ]);
  // as it was before: the former proof is served again
  await put('cup');
  await serve(id);
  expect((await told(id)).map(([state]) => state)).toEqual(['valid', 'current']);

  await operate('PATCH', `/products/${id}`, { visible: false });
  expect((await told(id)).map(([state]) => state)).toEqual(['valid', 'valid']);
  await operate('PATCH', `/products/${id}`, { visible: true });
});

it('names a proof of control that began, and not a later check of it', async () => {
  const id = await put('saucer');
  await serve(id);
  await proveHost(service, 'shop.example', merchantId);
  // written as another node would: this one knows within a second
  const served = async () => {
    await serve(id);
    return (await told(id))[0];
  };
  await expect.poll(served).toEqual(['current', 'changed', 'control']);
  const { rows } = await secretsOf(service);
  const owner = await readOwner(service.database.db, rows, 'shop.example');
  if (owner === null) throw new Error('no owner');
  const later = new Date(Date.now() + 1000);
  await updateOwner(service.database.db, rows, owner, { confirmed_at: later, checkAt: later });
  ahead = 5.5 * DAY;
  await serve(id);
  expect((await told(id))[0]).toEqual(['current', 'renewed']);
  ahead = 0;
});

it('is paginated, from the newest to the oldest', async () => {
  const id = await put('plate');
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) {
    await put('plate', { name });
    await serve(id);
  }
  const all = (await proofsOf(id)).proofs;
  expect(all).toHaveLength(5);
  const paged = [];
  for (let cursor: string | undefined; ; ) {
    const page = await proofsOf(id, `?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    paged.push(...page.proofs);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  expect(paged).toEqual(all);
  await expect(proofsOf(id, '?cursor=-1')).rejects.toThrow(/422/);
  await expect(proofsOf(id, '?limit=101')).rejects.toThrow(/422/);
});

it('states a renewal, and that the key of the previous one was revoked', async () => {
  const id = await put('bowl');
  await serve(id);
  ahead = 5.5 * DAY;
  await serve(id);
  expect(await told(id)).toEqual([
    ['current', 'renewed'],
    ['valid', 'first'],
  ]);
  const [{ kid } = { kid: '' }] = (await proofsOf(id)).proofs;
  await operate('POST', `/signing-keys/${kid}/revoke`);
  await serve(id);
  const after = (await proofsOf(id)).proofs;
  expect(after.map(({ reason, state }) => [state, reason])).toEqual([
    ['current', 'key_revoked'],
    ['key_revoked', 'renewed'],
    ['key_revoked', 'first'],
  ]);
  expect(after[0]?.kid).not.toBe(kid);
  expect(after.map(({ keyRevokedAt }) => keyRevokedAt !== undefined)).toEqual([false, true, true]);
  ahead = 7.5 * DAY;
  expect((await proofsOf(id)).proofs[0]?.state).toBe('current');
});

it('does not call the oldest one the first if earlier ones may have been deleted', async () => {
  const id = await put('jug');
  ahead += 9 * DAY;
  await serve(id);
  expect(await told(id)).toEqual([['current', 'not_known']]);
  await operate('DELETE', `/products/${id}`);
  expect((await told(id)).map(([state]) => state)).toEqual(['withdrawn']);
});

it('is visible to its merchant only', async () => {
  const id = await put('pan');
  const other = await made('POST', '/merchants', { name: 'Other', planCapacity: 9 });
  const ask = async (owner: string | null) => {
    const headers: Record<string, string> = {};
    if (owner !== null) {
      const { key } = (await operate('POST', `/merchants/${owner}/api-keys`)) as { key: string };
      headers.authorization = `Bearer ${key}`;
    }
    return (await fetch(`${service.url}${REGISTRY}/products/${id}/proofs`, { headers })).status;
  };
  expect([await ask(null), await ask(other), await ask(merchantId)]).toEqual([401, 404, 200]);
});
