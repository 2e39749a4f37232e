import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { conclude } from '@touchstone/certificate';
import type { PageVerdict } from '@touchstone/page';
import { describe, expect, it } from 'vitest';
import { useFolder } from '../../../../test/kit/folder.ts';
import {
  createTestIssuer,
  createTestLog,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
} from '../../../certificate/src/testing/issuer.ts';
import {
  type Answer,
  type Asked,
  type LoopbackServer,
  loopbackServers,
  pageCheckReport,
  type RunOptions,
  runCli,
} from '../testing.ts';

const folder = useFolder('batch');
let counter = 0;

const serve = loopbackServers();

/** A service that returns, for each page, the verdict contained in its address. */
const verdictOf = ({ body }: Asked): Answer => {
  const { url } = JSON.parse(body) as { url: string };
  return { body: pageCheckReport(url, new URL(url).pathname.slice(1).split('/')[0]) };
};

const page = (verdict: PageVerdict, n = 1) => `https://shop.example/${verdict}/${n}`;
const freshPath = (name = 'out') => join(folder, `${counter++}-${name}.ndjson`);
const lines = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const askedOf = (server: LoopbackServer) =>
  server.asked.map(({ body }) => (JSON.parse(body) as { url: string }).url);

function batch(list: string, server: LoopbackServer, more: readonly string[] = [], options: RunOptions = {}) {
  return runCli(['batch', '-', '--service', server.url, ...more], { stdin: list, ...options });
}

describe('touchstone batch', () => {
  it('writes one line of NDJSON per page to stdout, and the counts elsewhere', async () => {
    const server = await serve(verdictOf);
    const list = [page('verified'), '# a remark', '', page('checks_failed'), page('verified')].join('\r\n');
    const ran = await batch(`\uFEFF${list}`, server);
    expect(ran.code).toBe(1);
    expect(lines(ran.out).toSorted((a, b) => Number(a.line) - Number(b.line))).toEqual([
      { line: 1, url: page('verified'), verdict: 'verified', report: expect.anything() },
      { line: 4, url: page('checks_failed'), verdict: 'checks_failed', report: expect.anything() },
    ]);
    expect(ran.err).toContain('2 of 2 pages done, 1 repeated line skipped.');
    expect(ran.err).toContain(`line 4: ${page('checks_failed')} (checks_failed)`);
    expect(askedOf(server).toSorted()).toEqual([page('checks_failed'), page('verified')]);
  });

  it.each<[number, PageVerdict[]]>([
    [0, ['verified']],
    [1, ['verified', 'page_fetch_failed', 'unverified', 'canonical_mismatch']],
    [3, ['verified', 'no_certificate', 'password_protected']],
    [2, ['verified', 'product_deleted']],
  ])('exits %i for %j', async (code, verdicts) => {
    const server = await serve(verdictOf);
    const list = verdicts.map((verdict) => page(verdict)).join('\n');
    expect((await batch(list, server)).code).toBe(code);
    const json = await batch(list, server, ['--out', freshPath(), '--json']);
    expect(json.code).toBe(code);
    expect(json.json()).toMatchObject({
      pages: verdicts.length,
      done: verdicts.length,
      outcomes: Object.fromEntries(verdicts.map((verdict) => [verdict, 1])),
    });
  });

  it('loses no other page because of an invalid line, a refused address or a page on which the service fails', async () => {
    const server = await serve((one) => {
      if (one.body.includes('/refused')) {
        return { status: 422, body: { detail: [{ loc: ['body', 'url'], msg: 'Too long', type: 't' }] } };
      }
      const problem = (status: number, code: string) => ({
        status,
        body: { title: 't', detail: 'No.', code },
      });
      if (one.body.includes('/broken')) return problem(500, 'internal_error');
      return one.body.includes('/nameless') ? problem(503, 'network_unavailable') : verdictOf(one);
    });
    const addresses = ['refused', 'broken', 'nameless'].map((name) => `https://shop.example/${name}`);
    const out = freshPath();
    const list = ['shop.example/cup', ...addresses, page('verified')].join('\n');
    const ran = await batch(list, server, ['--out', out]);
    expect(ran.code).toBe(3);
    const told = lines(await readFile(out, 'utf8'));
    const code = (url: string) =>
      (told.find((one) => one.url === url)?.error as { code?: string } | undefined)?.code;
    expect(told).toHaveLength(5);
    expect(['shop.example/cup', ...addresses].map(code)).toEqual([
      'address_invalid',
      'request_refused',
      'service_error',
      'service_error',
    ]);
    server.asked.length = 0;
    await batch(list, server, ['--out', out]);
    expect(new Set(askedOf(server))).toEqual(new Set(addresses.slice(1)));
  });

  it('does not believe a report that contradicts itself, and checks its page again in the next run', async () => {
    const liar = page('verified');
    let isLying = true;
    const server = await serve((one) => {
      const answer = verdictOf(one);
      return isLying && one.body.includes(liar)
        ? { body: { ...(answer.body as object), mc4p: { present: false } } }
        : answer;
    });
    const out = freshPath();
    const list = [liar, `${liar}/2`].join('\n');
    expect((await batch(list, server, ['--out', out])).code).toBe(3);
    const [first] = lines(await readFile(out, 'utf8')).filter(({ url }) => url === liar);
    expect(first).toMatchObject({
      error: {
        code: 'service_contradicts_itself',
        message: expect.stringContaining('mc4p.present is false'),
      },
    });
    isLying = false;
    expect((await batch(list, server, ['--out', out])).code).toBe(0);
  });

  it('waits as long as a 429 asks, however often, and loses no page', async () => {
    let turn = 0;
    const limited = { title: 't', detail: 'Slow down.', code: 'fetch_budget_spent' };
    const server = await serve((one) =>
      turn++ < 20 ? { status: 429, headers: { 'retry-after': '41' }, body: limited } : verdictOf(one),
    );
    const waits: number[] = [];
    const ran = await batch(page('verified'), server, [], { waits });
    expect(ran.code).toBe(0);
    expect(waits).toEqual(Array.from({ length: 20 }, () => 41_000));
    expect(ran.err).toContain('again in 41 s');
    // without a terminal, one remark covers them all
    expect(ran.err.match(/again in/g)).toHaveLength(1);
  });

  it('shows its progress to a person, on a line that is updated', async () => {
    const server = await serve(verdictOf);
    const list = Array.from({ length: 20 }, (_, n) => page('checks_failed', n)).join('\n');
    const { err } = await batch(list, server, [], { terminal: true });
    expect(err).toContain('\r\u001b[K7 of 20 pages, 7 failed');
    expect(err).toContain('and 10 more');
  });

  it('ends with the finished pages when the service disappears, and continues from there', async () => {
    const list = Array.from({ length: 30 }, (_, n) => page('verified', n)).join('\n');
    const out = freshPath();
    let answered = 0;
    const dying = await serve((one) => (answered++ < 12 ? verdictOf(one) : { hangUp: true }));
    const first = await batch(list, dying, ['--out', out]);
    expect(first).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('12 of 30 pages are done'),
    });
    const healthy = await serve(verdictOf);
    const second = await batch(list, healthy, ['--out', out, '--json']);
    expect(second.json()).toMatchObject({ done: 30, before: 12, outcomes: { verified: 30 } });
    expect(healthy.asked).toHaveLength(18);
    const third = await batch(list, healthy, ['--out', out]);
    expect(third).toMatchObject({ code: 0, out: expect.stringContaining('30 of them by an earlier run') });
    expect(healthy.asked).toHaveLength(18);
    expect(new Set(lines(await readFile(out, 'utf8')).map(({ url }) => url)).size).toBe(30);
  });

  it('stops on request, and keeps its results', async () => {
    const stop = new AbortController();
    const server = await serve((one) => {
      if (server.asked.length === 5) stop.abort();
      return verdictOf(one);
    });
    const list = Array.from({ length: 20 }, (_, n) => page('verified', n)).join('\n');
    const out = freshPath();
    const ran = await batch(list, server, ['--out', out, '--concurrency', '1'], { stop: stop.signal });
    expect(ran).toMatchObject({ code: 3, err: expect.stringMatching(/Stopped\.\n4 of 20 pages are done/) });
    expect(lines(await readFile(out, 'utf8'))).toHaveLength(4);
  });

  it('does not count a page as verified that redirects to another page, unless told to follow, also when resumed', async () => {
    const asked = 'https://copy.example/cup';
    const report = {
      ...pageCheckReport(asked, 'verified'),
      warnings: ['redirected_to_another_host: It redirects: https://shop.example/cup'],
    };
    const conclusion = conclude('verified', { ...report.mc4p, ...report, agreement: 'same' });
    const server = await serve(() => ({ body: { ...report, conclusion } }));
    const out = freshPath();
    for (const [more, code, outcomes] of [
      [[], 3, { redirected: 1 }],
      [[], 3, { redirected: 1 }],
      [['--follow-host'], 0, { verified: 1 }],
    ] as const) {
      const ran = await batch(asked, server, ['--out', out, '--json', ...more]);
      expect([ran.code, ran.json().outcomes]).toEqual([code, outcomes]);
    }
    expect(server.asked).toHaveLength(1);
    expect((await batch(asked, server)).err).toMatch(/1 +ANOTHER PAGE +redirected/);
    expect((await batch(asked, server, ['--follow-host'])).code).toBe(0);
  });

  it('drops an incomplete last line, and checks that page again', async () => {
    const server = await serve(verdictOf);
    const list = [page('verified', 1), page('verified', 2)].join('\n');
    for (const torn of ['{"line":2,"url":"https://shop.ex', '{"li', '{"line":2,"url":"https://t\u00e4s']) {
      const out = freshPath();
      const whole = `${JSON.stringify({ line: 1, url: page('verified', 1), report: pageCheckReport(page('verified', 1), 'verified') })}\n`;
      await writeFile(out, Buffer.concat([Buffer.from(whole), Buffer.from(torn).subarray(0, -1)]));
      server.asked.length = 0;
      expect((await batch(list, server, ['--out', out])).code).toBe(0);
      expect(askedOf(server)).toEqual([page('verified', 2)]);
      expect(lines(await readFile(out, 'utf8'))).toHaveLength(2);
    }
  });

  it('changes nothing in a file with other contents', async () => {
    const server = await serve(verdictOf);
    for (const content of [
      'My thesis',
      'My thesis\n',
      '{"line":1}\n',
      '{"line":1,"url":"x","verdict":"fine"}\n',
    ]) {
      const out = freshPath();
      await writeFile(out, content);
      const ran = await batch(page('verified'), server, ['--out', out]);
      expect(ran).toMatchObject({ code: 64, err: expect.stringContaining('something other than results') });
      expect(await readFile(out, 'utf8')).toBe(content);
    }
    expect(server.asked).toEqual([]);
  });

  it('reports a usage error when there is nothing to check or options contradict each other', async () => {
    const server = await serve(verdictOf);
    expect((await batch('\n# nothing\n', server)).code).toBe(64);
    for (const more of [
      ['--offline'],
      ['--issuer', TEST_ISSUER],
      ['--log', 'none.policy'],
      ['--concurrency', '0'],
      ['--out', folder],
      ['--out', join(folder, 'no', 'such', 'folder')],
    ]) {
      const { code, out } = await batch(page('verified'), server, more);
      expect([more, code, out]).toEqual([more, 64, '']);
    }
    expect(server.asked).toEqual([]);
  });
});

describe('touchstone batch --offline', () => {
  it('verifies locally, fetching keys once for all and without the service', async () => {
    const issuer = await createTestIssuer();
    const keys = await serve(() => ({ body: issuer.jwks }));
    const at = 'http://shop.example/cup';
    const certificate = JSON.stringify(
      await issuer.certificate({
        claims: { iss: keys.url, url: at, members: undefined, namespace: undefined },
      }),
    )
      .replaceAll(TEST_ISSUER, keys.url)
      .replaceAll(TEST_PRODUCT.url, at);
    const shop = await serve((one) =>
      one.path === '/gone'
        ? { status: 404, body: '' }
        : { body: `<script type="application/ld+json">${certificate}</script>` },
    );
    const list = ['/cup', '/cup?ref=a', '/other', '/gone'].map((path) => `http://shop.example${path}`);
    const argv = ['batch', '-', '--offline', '--issuer', keys.url];
    const connect = ['--connect-to', `shop.example=127.0.0.1:${shop.port}`];
    const ran = await runCli([...argv, ...connect], { stdin: list.join('\n'), now: TEST_NOW });
    const told = Object.fromEntries(lines(ran.out).map(({ url, verdict }) => [url, verdict]));
    expect(list.map((url) => told[url])).toEqual([
      'verified',
      'verified',
      'checks_failed',
      'page_fetch_failed',
    ]);
    expect(ran.code).toBe(1);
    // those of proofs and of status lists; and again those of proofs, since no list says whether one was revoked meanwhile
    const asked = keys.asked.map(({ path }) => path.split('/').at(-1));
    expect(asked.toSorted()).toEqual(['jwks.json', 'jwks.json', 'status-list-jwks.json']);

    const log = await createTestLog((bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()));
    const policy = join(folder, 'log.policy');
    await writeFile(policy, log.policy('none'));
    const logged = await runCli([...argv, ...connect, '--log', policy, '--log-required'], {
      stdin: `${list[0]}`,
      now: TEST_NOW,
    });
    expect([
      logged.code,
      lines(logged.out).map(({ report }) => (report as { conclusion?: { code: string } }).conclusion?.code),
    ]).toEqual([3, ['log_required']]);
  });

  it('trusts as verify does: no issuer over plain http, except on this machine or with its keys', async () => {
    const argv = ['batch', '-', '--offline', '--issuer', 'http://certificates.example'];
    expect(await runCli(argv, { stdin: page('verified') })).toMatchObject({
      code: 64,
      out: '',
      err: expect.stringContaining('https'),
    });
  });

  it('stops at once without keys, since no page could be judged', async () => {
    const issuer = await createTestIssuer();
    const keys = await serve(() => ({ status: 500 }));
    const certificate = JSON.stringify(await issuer.certificate({ claims: { iss: keys.url } }));
    const shop = await serve(() => ({
      body: `<script type="application/ld+json">${certificate.replaceAll(TEST_ISSUER, keys.url)}</script>`,
    }));
    const connect = ['--connect-to', `shop.example=127.0.0.1:${shop.port}`];
    const ran = await runCli(['batch', '-', '--offline', '--issuer', keys.url, ...connect], {
      stdin: Array.from({ length: 100 }, (_, n) => `http://shop.example/${n}`).join('\n'),
    });
    expect(ran).toMatchObject({ code: 3, out: '', err: expect.stringContaining('0 of 100 pages are done') });
    expect(shop.asked.length).toBeLessThan(20);
  });
});
