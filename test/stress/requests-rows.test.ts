import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostile } from './support/schema-values.ts';
import { session } from './support/session.ts';

const SEED = Number(process.env.TOUCHSTONE_FUZZ_SEED ?? 20_261_120);

const here = session(`bulk rows, seed ${SEED}`);
let round = 0;

interface Row {
  readonly good: boolean;
  /** As sent. */
  readonly text: string;
  readonly id?: string;
  readonly name?: string;
}

const NAME = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((name) => name.trim() === name && name !== '' && !name.includes('\u0000'));

const goodRow = fc
  .record({
    name: NAME,
    path: fc.webPath(),
    images: fc.array(
      fc.webPath().map((path) => ({ url: `http://cdn.example${path}` })),
      { maxLength: 3 },
    ),
    attributes: fc.array(
      fc.record({ name: fc.constantFrom('Size', 'Colour'), value: fc.string({ maxLength: 10 }) }),
      { maxLength: 2 },
    ),
  })
  .map(({ path, ...rest }) => ({
    ...rest,
    attributes: rest.attributes.filter(({ value }) => !value.includes('\u0000')),
    url: `http://mine.example${path}`,
  }));

/** Changes that make a good row invalid; each is sufficient. */
const SPOILED: readonly ((row: Record<string, unknown>, bad: unknown) => unknown)[] = [
  (row) => ({ ...row, name: undefined }),
  (row) => ({ ...row, name: ' ' }),
  (row) => ({ ...row, name: 'x'.repeat(301) }),
  (row) => ({ ...row, name: 'a\u0000b' }),
  (row) => ({ ...row, name: '\ud800' }),
  (row) => ({ ...row, url: 'http://elsewhere.example/x' }),
  (row) => ({ ...row, url: 'not an address' }),
  (row) => ({ ...row, url: 'http://u:p@mine.example/' }),
  (row) => ({ ...row, images: [{ url: 'ftp://x/' }] }),
  (row) => ({ ...row, images: {} }),
  (row) => ({ ...row, attributes: [{ name: 'a', value: '\u0000' }] }),
  (row) => ({ ...row, visible: 'yes' }),
  (row) => ({ ...row, unheardOf: 1 }),
  (row) => ({ ...row, externalProductId: 7 }),
  (row) => ({
    ...row,
    url: `http://mine.example/${'x'.repeat(2_030)}`,
    images: [{ url: `http://mine.example/${'y'.repeat(2_000)}` }],
  }),
  (_, bad) =>
    typeof bad === 'object' && bad !== null && !Array.isArray(bad) ? { ...bad, unheardOf: 1 } : bad,
];

const rows = fc.array(
  fc.record({ row: goodRow, spoil: fc.option(fc.nat(SPOILED.length - 1), { freq: 2 }), bad: hostile }),
  { minLength: 1, maxLength: 60 },
);

function wire(
  items: readonly { row: object & { name: string }; spoil: number | null; bad: unknown }[],
): Row[] {
  round += 1;
  return items.map(({ row, spoil, bad }, index) => {
    const id = `r${round}-${index}`;
    const whole = { externalProductId: id, ...row };
    if (spoil === null) return { good: true, text: JSON.stringify(whole), id, name: row.name };
    return { good: false, text: JSON.stringify(SPOILED[spoil]?.(whole, bad)) ?? 'null', id };
  });
}

interface Result {
  readonly externalProductId?: string;
  readonly id?: string;
  readonly status: string;
  readonly errors?: readonly { loc: unknown; msg: string; type: string }[];
}

async function put(body: string, type: string): Promise<string> {
  const answer = await here.ask({
    method: 'PUT',
    path: `/api/v1/registry/stores/${here.world.mine.storeId}/products`,
    headers: { authorization: `Bearer ${here.world.mine.key}`, 'content-type': type },
    body,
  });
  expect(answer.status, answer.body.toString().slice(0, 500)).toBe(200);
  return answer.body.toString();
}

/** All products of the store, read page by page. */
async function stored(): Promise<Map<string, { id: string; name: string }>> {
  const found = new Map<string, { id: string; name: string }>();
  let cursor = '';
  do {
    const page = (await here.world.operate(
      'GET',
      `/stores/${here.world.mine.storeId}/products?limit=500${cursor}`,
    )) as {
      products: { externalProductId: string; id: string; name: string }[];
      nextCursor?: string;
    };
    for (const { externalProductId, id, name } of page.products) found.set(externalProductId, { id, name });
    cursor = page.nextCursor === undefined ? '' : `&cursor=${encodeURIComponent(page.nextCursor)}`;
  } while (cursor !== '');
  return found;
}

async function judge(sent: readonly Row[], results: readonly Result[]): Promise<void> {
  expect(results).toHaveLength(sent.length);
  const kept = await stored();
  for (const [index, row] of sent.entries()) {
    const result = results[index];
    if (row.good) {
      expect(result, row.text).toEqual({
        externalProductId: row.id,
        id: expect.any(String),
        status: 'created',
        state: expect.any(String),
      });
      expect(kept.get(row.id ?? '')).toEqual({ id: result?.id, name: row.name });
    } else {
      expect(result?.status, row.text).toBe('error');
      expect(result?.id).toBeUndefined();
      expect(result?.errors?.length, row.text).toBeGreaterThan(0);
      expect(kept.has(row.id ?? ''), row.text).toBe(false);
    }
  }
}

it('a JSON array of valid and invalid rows keeps every valid one, and reports the faults of every invalid one', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (items) => {
      const sent = wire(items);
      const text = await put(`[${sent.map((row) => row.text).join()}]`, 'application/json');
      await judge(sent, (JSON.parse(text) as { results: Result[] }).results);
    }),
    { seed: SEED, numRuns: 25, endOnFailure: true },
  );
});

it('NDJSON of valid and invalid rows, some of them not JSON, keeps every valid one', async () => {
  const broken = fc.constantFrom(
    '{',
    '{"externalProductId":"x"',
    'nope',
    '\u0000',
    '[',
    '"',
    '{"a":1}}',
    'x'.repeat(1_000_001),
  );
  const lines = fc.tuple(rows, fc.array(fc.tuple(fc.nat(60), broken), { maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(lines, async ([items, bad]) => {
      const sent: Row[] = wire(items);
      for (const [at, text] of bad) sent.splice(at, 0, { good: false, text });
      // blank lines and CRLF are neither rows nor errors
      const body = sent.map((row, index) => row.text + (index % 3 === 0 ? '\r\n' : '\n')).join('\n');
      const text = await put(body, 'application/x-ndjson');
      await judge(
        sent,
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Result),
      );
    }),
    { seed: SEED, numRuns: 25, endOnFailure: true },
  );
});

it('several batches of rows, every third one invalid, keep every valid one', async () => {
  const good = (index: number) => ({
    externalProductId: `many-${index}`,
    name: `Many ${index}`,
    url: `http://mine.example/many/${index}`,
  });
  const sent = Array.from({ length: 2_500 }, (_, index): Row => {
    const row = good(index);
    if (index % 3 === 1)
      return { good: false, text: JSON.stringify({ ...row, name: '' }), id: row.externalProductId };
    return { good: true, text: JSON.stringify(row), id: row.externalProductId, name: row.name };
  });
  const text = await put(sent.map((row) => row.text).join('\n'), 'application/x-ndjson');
  await judge(
    sent,
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Result),
  );
});
