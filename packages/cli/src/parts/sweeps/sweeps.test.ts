import { afterEach, expect, it } from 'vitest';
import { type LoopbackServer, loopbackServer, runCli } from '../../testing.ts';

const ID = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
const AT = '2026-03-01T12:00:00.000Z';
const NONE = {
  verified: 0,
  stale: 0,
  expired: 0,
  lost: 0,
  missing: 0,
  failed: 0,
  unreachable: 0,
  expiring: 0,
};
const SWEEP = {
  state: 'waiting',
  summary: '4 of 5 pages verified, 1 expired.',
  pages: { ...NONE, checked: 5, waiting: 0, verified: 4, expired: 1 },
  problems: [
    { result: 'expired', count: 1, sentence: 'It has ended.', nextStep: 'Put the current one there.' },
  ],
  checkedAt: AT,
  nextAt: AT,
  budget: { checkedToday: 5, perDay: 2_000, perHostPerMinute: 10, everyHours: 24 },
  copies: 2,
};

let server: LoopbackServer;
afterEach(() => server.close());

async function sweeps(words: readonly string[], ...answers: object[]) {
  const asked: string[] = [];
  server = await loopbackServer(({ method, path }) => {
    asked.push(`${method} ${path}`);
    return { status: method === 'POST' ? 202 : 200, body: answers.length > 1 ? answers.shift() : answers[0] };
  });
  const argv = ['sweeps', ID, ...words, '--service', server.url];
  return { ...(await runCli(argv, { env: { TOUCHSTONE_KEY: 'tsk_0' } })), asked };
}

it('reports the state of the pages, and what to do', async () => {
  const { code, out } = await sweeps([], SWEEP);
  expect([code, out]).toEqual([
    1,
    '4 of 5 pages verified, 1 expired.\n  1 expired: It has ended. Put the current one there.\n' +
      'Copies on 2 domains of others: touchstone sweeps <store-id> --copies\n' +
      `It continues when the next page is due. Last checked at ${AT}.\n`,
  ]);
});

it('exits with success when every page is verified, and undecided while some were not checked', async () => {
  const well = { ...SWEEP, pages: { ...NONE, checked: 5, waiting: 0, verified: 5 }, problems: [] };
  expect((await sweeps([], well)).code).toBe(0);
  await server.close();
  expect((await sweeps(['--json'], { ...well, pages: { ...well.pages, waiting: 1 } })).code).toBe(2);
});

it('tells pages that differ from the catalogue: how many, and with --drifted in which fields', async () => {
  const pages = { ...SWEEP.pages, drifted: 2 };
  expect((await sweeps([], { ...SWEEP, pages })).out).toContain(
    '  2 differ from the catalogue: touchstone sweeps <store-id> --drifted\n',
  );
  await server.close();
  const page = {
    productId: ID,
    externalProductId: 'cup',
    url: 'https://shop.example/cup',
    result: 'verified',
    verdict: 'verified',
    drift: [
      {
        field: 'price',
        catalogue: '24.90 EUR',
        signed: '24.90 EUR',
        page: '31.90 EUR',
        since: AT,
        lastAt: AT,
      },
    ],
    checkedAt: AT,
    since: AT,
    reportId: ID,
  };
  const { code, out, asked } = await sweeps(['--drifted'], { pages: [page] });
  expect(asked[0]).toContain('drifted=true');
  expect(out).toContain(
    `cup: price: the page states "31.90 EUR", the catalogue "24.90 EUR" and the certificate "24.90 EUR", since ${AT}\n`,
  );
  expect(code).toBe(1);
});

it('starts one on request', async () => {
  const { asked } = await sweeps(['--begin'], SWEEP);
  expect(asked).toEqual([`POST /api/v1/registry/stores/${ID}/sweep`]);
});

it('lists pages of one result, and copies, page by page', async () => {
  const page = {
    productId: ID,
    externalProductId: 'cup',
    url: 'https://shop.example/cup',
    result: 'expired',
    verdict: 'certificate_expired',
    checkedAt: AT,
    since: AT,
    reportId: ID,
  };
  const { code, out, asked } = await sweeps(
    ['--pages', 'expired'],
    { pages: [page], nextCursor: ID },
    { pages: [page] },
  );
  expect([code, asked]).toEqual([
    1,
    [
      `GET /api/v1/registry/stores/${ID}/sweep/pages?limit=500&result=expired`,
      `GET /api/v1/registry/stores/${ID}/sweep/pages?limit=500&cursor=${ID}&result=expired`,
    ],
  ]);
  expect(out.split('\n')).toHaveLength(3);
  await server.close();
  const copy = {
    productId: ID,
    externalProductId: 'cup',
    host: 'copy.example',
    url: 'https://copy.example/cup',
  };
  const copies = [{ ...copy, firstAt: AT, lastAt: AT, times: 3 }];
  const hosts = [
    {
      host: 'copy.example',
      url: 'https://copy.example/cup',
      state: 'new',
      found: {
        certificate: { lastAt: AT },
        pictures: { lastAt: AT, original: 'shop.example', pictures: 3, of: 4, same: [] },
        name: { lastAt: AT, original: 'shop.example', resemblance: ['hyphens'] },
      },
      firstAt: AT,
      lastAt: AT,
    },
  ];
  const limits = { domains: 1_000, copiesOfDomain: 20 };
  const found = { domain: 'copy.example', firstAt: AT, lastAt: AT, times: 3, hosts, copies, dropped: 2 };
  const told = await sweeps(['--copies'], { domains: [found], limits, more: 4 });
  expect([told.code, told.out]).toEqual([
    1,
    `copy.example: 3 times, ${AT} to ${AT}\n  new  https://copy.example/cup  3 of 4 pictures certified for shop.example, name resembles shop.example, certificate\n  cup  https://copy.example/cup  ${AT}\n` +
      '  and 2 older ones, which are no longer kept\n' +
      'At most 1000 domains are recorded; copies on others were found 4 times.\n',
  ]);
  await server.close();
  const letBe = { ...found, hosts: [{ ...hosts[0], state: 'allowed' }] };
  expect((await sweeps(['--copies'], { domains: [letBe], limits, more: 0 })).code).toBe(0);
  await server.close();
  expect((await sweeps(['--copies'], { domains: [], limits, more: 0 })).code).toBe(0);
});
