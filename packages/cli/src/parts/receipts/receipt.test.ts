import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_ISSUER, TEST_NOW, testReceipts } from '@touchstone/certificate/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCli } from '../../testing.ts';

const BOWL = 'https://shop.example/p?id=2';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-receipt-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = async (name: string, value: unknown): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(value));
  return path;
};

it('tells that the address which a receipt is for had a query, unless that was given', async () => {
  const { jwks, receipt } = await testReceipts();
  const page = { url: 'https://shop.example/p', querySha256: 'A'.repeat(43), sha256: 'A'.repeat(43) };
  const seen = { observed: 'fetched', page: { ...page, fetchedAt: TEST_NOW.toISOString() } } as const;
  const given = await file('receipt.json', await receipt({ url: BOWL }, { verdict: 'verified' }, seen));
  const keys = await file('keys.json', jwks);
  const verify = async (url: string) => {
    const request = await file('request.json', { url });
    const options = ['--request', request, '--issuer', TEST_ISSUER, '--jwks', keys];
    const { code, out } = await runCli(['receipt', 'verify', given, ...options], { now: TEST_NOW });
    expect([code, out]).toEqual([0, expect.stringContaining('https://shop.example/p (with a query')]);
    return /request +(.*)/.exec(out)?.[1];
  };
  expect(await verify(BOWL)).toBe('the same');
  // whoever shows it for the page without the query must not be believed
  expect(await verify('https://shop.example/p')).toMatch(/^the same, but for its query/);
});
