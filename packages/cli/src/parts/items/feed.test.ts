import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { loopbackServers, runCli } from '../../testing.ts';

const folder = useFolder('feed');
const issuer = await createTestIssuer();
const jwks = join(folder, 'jwks.json');
await writeFile(jwks, JSON.stringify(issuer.jwks));
const control = { method: 'dns_txt', checkedAt: 1_772_000_000 };
const certificate = await issuer.certificate({ claims: { control } });
const serve = loopbackServers();

const CUP = {
  id: 'cup-1',
  title: 'Stoneware cup',
  link: TEST_PRODUCT.url,
  sku: 'CUP-1',
  image_link: 'https://shop.example/cup-front.jpg',
  price: '24.90 EUR',
  certificate,
};
const lines = (...items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).join('\n');

function verify(stdin: string | Uint8Array, ...more: readonly string[]) {
  const argv = ['feed', 'verify', '-', '--issuer', TEST_ISSUER, '--jwks', jwks, ...more];
  return runCli(argv, { stdin, now: TEST_NOW });
}

const jsonOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('touchstone feed verify', () => {
  it('ends with 0 if every item agrees, and prints none unless asked', async () => {
    const ran = await verify(lines(CUP, CUP));
    expect([ran.code, ran.out, ran.err]).toEqual([0, '2 rows read.\n  2  item_agrees\n', '']);
    const all = await verify(lines(CUP), '--all', '--source', 'shop.example');
    expect(all.out).toContain('row 1  item_agrees  cup-1  Stoneware cup\n');
  });

  it('ends with 1 if one differs or is no item, and says how', async () => {
    const ran = await verify(lines(CUP, { ...CUP, sku: 'CUP-2' }, { a: 1 }));
    expect(ran.code).toBe(1);
    expect(ran.out).toContain(
      'row 2  item_differs  cup-1  Stoneware cup\n    sku: signed CUP-1, stated CUP-2\nrow 3  NOT READ',
    );
    expect(ran.out).toContain('  1  item_differs\n');
    expect((await verify('')).code).toBe(1);
    expect((await verify(lines({ ...CUP, link: 'https://copy.example/cup' }))).out).toContain('another_host');
  });

  it('ends with 2 if one has no certificate, and with 3 if another host offers one', async () => {
    expect((await verify(lines(CUP, { ...CUP, certificate: undefined }))).code).toBe(2);
    const ran = await verify(lines(CUP), '--source', 'https://copy.example/feed.xml');
    expect([ran.code, ran.out]).toEqual([3, expect.stringContaining('item_offered_elsewhere')]);
  });

  it('prints lines of JSON, one for each row, and its summary beside them', async () => {
    const ran = await verify(lines(CUP, 7), '--json');
    expect(jsonOf(ran.out)).toMatchObject([
      {
        row: 1,
        status: 'verified',
        conclusion: { code: 'item_agrees' },
        fields: { sku: { result: 'agrees' } },
      },
      { problem: { row: 2, code: 'row_not_product' } },
    ]);
    expect(ran.err).toContain('2 rows read.');
  });

  it('lets no item write to the terminal, nor imitate another row', async () => {
    const { out } = await verify(lines({ ...CUP, title: 'x\u001b[2J\nrow 9  item_agrees' }));
    expect(out.split('\n')[0]).toMatch(/^row 1 {2}item_differs/);
    expect(out).not.toContain('\u001b');
    expect(out).not.toMatch(/^row 9/m);
  });

  it('fetches a feed, which is then offered by its host', async () => {
    const server = await serve(({ path }) =>
      path === '/feed'
        ? { body: lines(CUP), headers: { 'content-type': 'application/x-ndjson' } }
        : path === '/broken'
          ? { body: gzipSync(lines(CUP, CUP)).subarray(0, -9), headers: { 'content-encoding': 'gzip' } }
          : { status: 404 },
    );
    const at = (path: string) =>
      runCli(
        [
          'feed',
          'verify',
          `http://shop.example${path}`,
          '--issuer',
          TEST_ISSUER,
          '--jwks',
          jwks,
          '--json',
          '--connect-to',
          `shop.example=127.0.0.1:${server.port}`,
        ],
        { now: TEST_NOW },
      );
    const ran = await at('/feed');
    expect([ran.code, jsonOf(ran.out)[0]?.offeredBy]).toEqual([0, 'shop.example']);
    // what broke off was not read to its end, whatever came before
    const broken = await at('/broken');
    expect([broken.code, broken.json().error]).toMatchObject([3, { code: 'feed_unavailable' }]);
    expect(broken.err).not.toContain('read.');
    const missing = await at('/none');
    expect([missing.code, missing.json().error]).toMatchObject([3, { code: 'feed_unavailable' }]);
  });
});
