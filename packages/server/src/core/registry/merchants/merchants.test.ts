import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestRegistry, testRegistry } from '../testing.ts';
import { listMerchants } from './merchants.ts';

describe('merchants among very many', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await testRegistry();
    await registry.database.query(
      `insert into merchants (id, name, plan_capacity)
       select gen_random_uuid(), case when n = 1500 then 'Ärger & Söhne, Glasbläserei' when n = 1501 then '100% Tea \\ Co''s'
         else 'Potter ' || n end, 1 from generate_series(1, 20000) n`,
    );
  });
  afterAll(() => registry.close());

  const named = async (q: string, further: { cursor?: string; limit?: number } = {}) => {
    const { merchants, nextCursor } = await listMerchants(registry, 'all', { q, limit: 100, ...further });
    return { names: merchants.map(({ name }) => name), nextCursor };
  };

  it.each([
    ['glas söh', ['Ärger & Söhne, Glasbläserei']],
    ['ÄRGER', ['Ärger & Söhne, Glasbläserei']],
    ['söhne potter', []],
    ['co 100', ["100% Tea \\ Co's"]],
    ["o'", []],
    ['potter 19999', ['Potter 19999']],
    ["x' | 'potter", []],
  ])('are found by words of their names, as products are: %s', async (q, names) => {
    expect((await named(q)).names).toEqual(names);
  });

  it('are listed page by page if many match, each once, and all of them without a query', async () => {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const { names, nextCursor } = await named('pot 29', { limit: 40, ...(cursor && { cursor }) });
      for (const name of names) seen.add(name);
      cursor = nextCursor;
    } while (cursor !== undefined);
    // 29, 290 to 299, 2900 to 2999; of five figures none but these begin with 29
    expect(seen.size).toBe(111);
    expect((await named('!', { limit: 500 })).names).toHaveLength(500);
  });

  it('show a merchant only itself', async () => {
    const { merchants } = await listMerchants(registry, 'all', { q: 'glas', limit: 1 });
    const scope = { merchantId: merchants[0]?.id ?? '' };
    expect((await listMerchants(registry, scope, { q: 'potter', limit: 9 })).merchants).toEqual([]);
    expect((await listMerchants(registry, scope, { q: 'glas', limit: 9 })).merchants).toHaveLength(1);
  });

  it('are searched with an index', async () => {
    await registry.database.query('vacuum analyze merchants');
    const plan = await registry.database.query(
      "explain select id from merchants where merchant_terms(name) @@ merchant_query('glas')",
    );
    expect(JSON.stringify(plan)).toContain('merchants_by_name');
  });
});
