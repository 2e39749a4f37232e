import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../testing.ts';
import {
  authenticate,
  createApiKey,
  listApiKeys,
  makeKey,
  registerOperatorKey,
  revokeApiKey,
} from './api-keys.ts';

describe('API keys', () => {
  let registry: TestRegistry;
  let shop: TestShop;
  beforeAll(async () => {
    registry = await testRegistry();
    shop = await testShop(registry);
  });
  afterAll(() => registry.close());

  it('give access to what belongs to their merchant, until they are revoked', async () => {
    const made = await createApiKey(registry, 'all', shop.merchantId, 'feed');
    expect(made.key).toMatch(/^tsk_[\w-]{43}$/);
    expect(await authenticate(registry, made.key)).toEqual({
      role: 'merchant',
      keyId: made.id,
      merchantId: shop.merchantId,
    });
    await revokeApiKey(registry, { merchantId: shop.merchantId }, shop.merchantId, made.id);
    await revokeApiKey(registry, 'all', shop.merchantId, made.id);
    expect(await authenticate(registry, made.key)).toBeNull();
  });

  it('are listed by label and id, without the key itself, as long as they are valid', async () => {
    const other = await testShop(registry, 'listed.example');
    const scope = { merchantId: other.merchantId };
    const made = [
      await createApiKey(registry, scope, other.merchantId, 'laptop'),
      await createApiKey(registry, scope, other.merchantId),
    ];
    const { keys } = await listApiKeys(registry, scope, other.merchantId, { limit: 100 });
    expect(new Set(keys)).toEqual(
      new Set(made.map(({ id, label, createdAt }) => ({ id, label, createdAt }))),
    );
    const first = await listApiKeys(registry, scope, other.merchantId, { limit: 1 });
    const second = await listApiKeys(registry, scope, other.merchantId, {
      limit: 1,
      cursor: first.nextCursor,
    });
    expect([...first.keys, ...second.keys]).toEqual(keys);
    expect(second.nextCursor).toBeUndefined();
    for (const { id } of made) await revokeApiKey(registry, scope, other.merchantId, id);
    expect(await listApiKeys(registry, scope, other.merchantId, { limit: 100 })).toEqual({ keys: [] });
  });

  it('are stored only as a hash', async () => {
    const { key } = await createApiKey(registry, 'all', shop.merchantId);
    const rows = await registry.database.query('select * from api_keys');
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(key).toString('base64'));
  });

  it.each(['', 'tsk_', 'tsk_x', `tsk_${'A'.repeat(43)}`, '\0', '\ud800', 'x'.repeat(100_000)])(
    'that are invalid grant no access: %#',
    async (key) => {
      expect(await authenticate(registry, key)).toBeNull();
    },
  );

  it('of one merchant are unknown to another', async () => {
    const other = await testShop(registry, 'other.example');
    const made = await createApiKey(registry, 'all', shop.merchantId);
    const scope = { merchantId: other.merchantId };
    await expect(createApiKey(registry, scope, shop.merchantId)).rejects.toMatchObject({
      code: 'merchant_unknown',
    });
    await expect(revokeApiKey(registry, scope, shop.merchantId, made.id)).rejects.toMatchObject({
      code: 'merchant_unknown',
    });
    await expect(listApiKeys(registry, scope, shop.merchantId, { limit: 1 })).rejects.toMatchObject({
      code: 'merchant_unknown',
    });
    await expect(revokeApiKey(registry, scope, other.merchantId, made.id)).rejects.toMatchObject({
      code: 'api_key_unknown',
    });
    await expect(revokeApiKey(registry, 'all', shop.merchantId, randomUUID())).rejects.toMatchObject({
      code: 'api_key_unknown',
    });
  });

  it('of a merchant are at most 100, also when made at the same time; a revoked one makes room', async () => {
    const { merchantId } = await testShop(registry, 'many-keys.example');
    const make = () => createApiKey(registry, 'all', merchantId);
    const made = await Promise.allSettled(Array.from({ length: 105 }, make));
    const keys = made.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(keys).toHaveLength(100);
    await expect(make()).rejects.toMatchObject({
      code: 'conflict',
      publicMessage: expect.stringContaining('at most 100 valid API keys'),
    });
    await revokeApiKey(registry, 'all', merchantId, keys[0]?.id ?? '');
    await make();
    await expect(make()).rejects.toMatchObject({ code: 'conflict' });
  });

  it('of the operator: a changed setting replaces the earlier key, on any number of nodes', async () => {
    const [first, second] = [makeKey(), makeKey()];
    const now = registry.clock();
    await Promise.all([1, 2, 3].map(() => registerOperatorKey(registry, first, now)));
    expect(await authenticate(registry, first)).toMatchObject({ role: 'operator' });
    await registerOperatorKey(registry, second, now);
    expect(await authenticate(registry, first)).toBeNull();
    expect(await authenticate(registry, second)).toMatchObject({ role: 'operator' });
    await registerOperatorKey(registry, first, now);
    expect(await authenticate(registry, first)).toMatchObject({ role: 'operator' });
  });
});
