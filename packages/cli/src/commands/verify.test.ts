import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../test/kit/folder.ts';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
  type TestIssuer,
} from '../../../certificate/src/testing/issuer.ts';
import { type LoopbackServer, loopbackServer, type RunOptions, runCli } from '../testing.ts';

const PAGE = TEST_PRODUCT.url;
const GATE =
  '<html><body class="template-password"><form method="post" action="/password" id="login_form"><input type="password" name="password"></form></body></html>';
const EIGHT_DAYS_AGO = new Date(TEST_NOW.getTime() - 8 * 86_400_000);

const folder = useFolder('verify');
let issuer: TestIssuer;
let jwks: string;
let counter = 0;

beforeAll(async () => {
  issuer = await createTestIssuer();
  jwks = await file(JSON.stringify(issuer.jwks));
});

async function file(content: string): Promise<string> {
  const path = join(folder, `${counter++}`);
  await writeFile(path, content);
  return path;
}

const html = (...nodes: readonly unknown[]) =>
  `<!doctype html><title>Cup</title>${nodes
    .map((node) => `<script type="application/ld+json">${JSON.stringify(node)}</script>`)
    .join('')}`;

/** Verifies a file offline, with a trusted issuer and its keys. */
async function offline(content: string, more: readonly string[] = [], options: RunOptions = {}) {
  const base = ['verify', await file(content), '--issuer', TEST_ISSUER, '--jwks', jwks];
  const page = more.includes('--page-url') ? [] : ['--page-url', PAGE];
  return runCli([...base, ...page, ...more], { now: TEST_NOW, ...options });
}

it('touchstone verify, a page: reads names in full of each trusted issuer, in any order of the issuers', async () => {
  const page = html(await issuer.certificate()).replaceAll('"svc:', `"${TEST_ISSUER}/ns#`);
  const issuers = ['--issuer', 'https://other.example', '--issuer', TEST_ISSUER];
  const keys = ['--jwks', `${TEST_ISSUER}=${jwks}`];
  const args = ['verify', await file(page), ...issuers, ...keys, '--page-url', PAGE];
  expect((await runCli(args, { now: TEST_NOW })).code).toBe(0);
});

describe('touchstone verify, a file of which nobody says where it was seen', () => {
  const unplaced = async (content: string, more: readonly string[] = []) =>
    runCli(['verify', await file(content), '--issuer', TEST_ISSUER, '--jwks', jwks, ...more], {
      now: TEST_NOW,
    });

  it('is not verified, whatever address the file names: it says for which page it was signed', async () => {
    const sound = await issuer.certificate();
    const own = `<!-- saved from url=(0033)${PAGE} --><base href="${PAGE}"><link rel="canonical" href="${PAGE}">`;
    for (const content of [own + html(sound), JSON.stringify(sound), (sound.proof as { jwt: string }).jwt]) {
      const ran = await unplaced(content);
      expect([ran.code, ran.out]).toEqual([3, expect.stringMatching(/^SIGNED FOR {2}/)]);
      expect(ran.out.startsWith(`SIGNED FOR  ${PAGE}\n`)).toBe(true);
      expect(ran.out).toMatch(/\nNext: Say where you saw it.*--page-url/);
      const { status, checks, signed } = (await unplaced(content, ['--json'])).json();
      expect({ status, checks, signed }).toMatchObject({
        status: 'undetermined',
        checks: { signatureValid: true, boundToDomain: null, boundToUrl: null },
        signed: { url: PAGE },
      });
      for (const profile of ['minimal', 'standard']) {
        const byProfile = await unplaced(content, ['--profile', profile]);
        expect([byProfile.code, byProfile.out]).toEqual([
          3,
          expect.stringMatching(/^UNDETERMINED.*--page-url/s),
        ]);
      }
    }
  });

  it('has the result that no address would change', async () => {
    const forged = await (await createTestIssuer()).certificate();
    const { proof: _, ...identity } = await issuer.certificate();
    const foreign = { ...identity, 'svc:status': { canonicalSource: { url: 'https://other.example/' } } };
    for (const [content, title, code] of [
      [html(forged), 'NOT GENUINE', 1],
      [html(await issuer.certificate({ issuedAt: EIGHT_DAYS_AGO })), 'EXPIRED', 1],
      // the signed one speaks for the page
      [html(forged, await issuer.certificate()), 'SIGNED FOR', 3],
      [html(identity), 'UNVERIFIED', 2],
      [JSON.stringify(identity), 'UNVERIFIED', 2],
      [html(), 'NO CERTIFICATE', 2],
      [html(foreign), 'FOREIGN CERTIFICATE', 1],
      [GATE, 'PASSWORD PROTECTED', 3],
    ] as const) {
      const { out, ...ran } = await unplaced(content);
      expect([out.split('  ')[0], ran.code]).toEqual([title, code]);
      expect(out).not.toContain('about:blank');
      const asData = await unplaced(content, ['--json']);
      expect([asData.code, asData.out]).toEqual([code, expect.not.stringContaining('about:blank')]);
    }
  });
});

describe('touchstone verify, a document', () => {
  it('is verified, with the same result as the core', async () => {
    const ran = await offline(JSON.stringify(await issuer.certificate()), ['--json']);
    expect(ran.code).toBe(0);
    expect(ran.json()).toMatchObject({
      status: 'verified',
      productId: TEST_PRODUCT.productId,
      checks: { signatureValid: true, boundToUrl: true, domainKnown: null },
      errors: [],
    });
  });

  it('separates what was signed from what the page states, in words and as data', async () => {
    const page = html(
      { '@type': 'Product', '@context': 'https://schema.org', name: 'Gold cup' },
      await issuer.certificate(),
    );
    const { out } = await offline(page);
    const [, signed = '', stated = ''] =
      /\nSigned\n(.*?)\n\nStated by the page, not signed\n(.*?)\n\n/s.exec(out) ?? [];
    expect(signed).toMatch(/^ {2}shop {5}.*\(shop\.example\)$/m);
    expect(signed).toContain(TEST_PRODUCT.productId);
    expect(signed).toContain(PAGE);
    expect(signed).toMatch(/issuer {3}https?:/);
    expect(signed).toMatch(/until {4}\d{4}-/);
    expect([signed.includes('Gold cup'), stated.includes('Gold cup')]).toEqual([false, true]);
    const signedAs = expect.objectContaining({ issuer: TEST_ISSUER, url: PAGE });
    expect((await offline(page, ['--json'])).json()).toMatchObject({
      mc4p: { signed: signedAs },
      verification: { signed: signedAs },
    });
    const forged = await offline(html(await (await createTestIssuer()).certificate()));
    expect(forged.out).not.toMatch(/^Signed$/m);
  });

  it('is read first: a missing file is reported before a missing page or issuer', async () => {
    const named = ['--issuer', 'https://certificates.example'];
    for (const [name, hint, options] of [
      ['missing.json', '', named],
      ['missing.json', '', ['--page-url', PAGE]],
      ['shop.example/cup', 'Is it an address? Write it with https:// in front.\n', named],
    ] as const)
      expect(await runCli(['verify', name, ...options])).toMatchObject({
        code: 64,
        err: `error: There is no file ${name}.\n${hint}`,
      });
  });

  it('fails with the reason first: expired, edited, copied, of another product', async () => {
    const sound = await issuer.certificate();
    const cases: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
      ['proof_expired', await issuer.certificate({ issuedAt: EIGHT_DAYS_AGO }), []],
      ['document_differs', { ...sound, url: 'https://shop.example/products/other' }, []],
      ['domain_differs', sound, ['--page-url', 'https://copy.example/products/cup']],
      ['product_differs', sound, ['--product-id', '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a7']],
    ];
    for (const [reason, document, more] of cases) {
      const { code, out } = await offline(JSON.stringify(document), more);
      expect([reason, code]).toEqual([reason, 1]);
      expect(out).toMatch(/^ {2}verdict +failed$/m);
      expect(out).toContain(`${reason}:`);
    }
  });

  it('may be the submitted form of the specification, or a string that contains the node', async () => {
    const { productID, url, proof } = await issuer.certificate();
    expect((await offline(JSON.stringify({ productID, url, proof }))).code).toBe(0);
    expect((await offline(JSON.stringify(JSON.stringify(await issuer.certificate())))).code).toBe(0);
    // the product is the signed one, as in the core
    expect((await offline(JSON.stringify({ url, proof }))).code).toBe(0);
    const other = '--product-id 11111111-2222-4333-8444-555555555555'.split(' ');
    expect((await offline(JSON.stringify({ url, proof }), other)).code).toBe(1);
  });

  it('never trusts the issuer that the document names', async () => {
    const rogue = await createTestIssuer();
    const document = await rogue.certificate({ claims: { iss: 'https://rogue.example' } });
    const pointed = JSON.stringify(document).replaceAll(TEST_ISSUER, 'https://rogue.example');
    expect(await offline(pointed)).toMatchObject({
      code: 1,
      out: expect.stringContaining('canonical_host_foreign'),
    });
    expect((await offline(JSON.stringify(document))).code).toBe(1);
    const nobody = await runCli(['verify', await file(pointed), '--page-url', PAGE, '--jwks', jwks]);
    expect(nobody).toMatchObject({ code: 3, err: expect.stringContaining('TOUCHSTONE_ISSUER') });
  });

  it('requests nothing from an issuer that only the document names, however valid the keys that it serves', async () => {
    const rogue = await createTestIssuer();
    const served = await loopbackServer(() => ({ body: rogue.jwks }));
    const document = JSON.stringify(await rogue.certificate({ claims: { iss: served.url } })).replaceAll(
      TEST_ISSUER,
      served.url,
    );
    for (const content of [document, html(JSON.parse(document)), JSON.stringify(document)]) {
      const argv = ['verify', await file(content), '--page-url', PAGE];
      expect(await runCli(argv, { now: TEST_NOW })).toMatchObject({
        code: 3,
        out: '',
        err: expect.stringContaining('No issuer is trusted'),
      });
      const trusting = ['--issuer', TEST_ISSUER, '--product-id', TEST_PRODUCT.productId];
      expect((await offline(content, trusting)).code).toBe(1);
    }
    expect(served.asked).toEqual([]);
    await served.close();
  });

  it('takes the issuer from the environment, and the document from standard input', async () => {
    const stdin = JSON.stringify(await issuer.certificate());
    const argv = ['verify', '-', '--page-url', PAGE, '--jwks', `${TEST_ISSUER}=${jwks}`];
    const env = { TOUCHSTONE_ISSUER: `https://other.example, ${TEST_ISSUER}/` };
    expect((await runCli(argv, { stdin, env, now: TEST_NOW })).code).toBe(0);
    expect((await runCli(argv, { stdin: '  ', env, now: TEST_NOW })).code).toBe(64);
  });
});

describe('touchstone verify, a page', () => {
  it('prints the facts and the verification with the verdict in JSON', async () => {
    const page = html(await issuer.certificate(), { '@type': 'Product', name: 'Stoneware cup' });
    const told = (await offline(page, ['--json'])).json();
    expect(told).toMatchObject({
      verdict: 'verified',
      url: PAGE,
      mc4p: { present: true, product_id: TEST_PRODUCT.productId },
      verification: { status: 'verified', checkDetails: { boundToUrl: { result: true } } },
    });
    expect(told).not.toHaveProperty('id');
  });
});

describe('touchstone verify over the network', () => {
  let shop: LoopbackServer;
  let service: LoopbackServer;
  let page: string;
  afterAll(async () => {
    await shop.close();
    await service.close();
  });
  beforeAll(async () => {
    service = await loopbackServer(({ path }) =>
      path === '/api/v1/.well-known/jwks.json' ? { body: issuer.jwks } : { status: 404, body: '' },
    );
    const text = JSON.stringify(
      await issuer.certificate({
        claims: {
          iss: service.url,
          url: 'http://shop.example/cup',
          members: undefined,
          namespace: undefined,
        },
      }),
    )
      .replaceAll(TEST_ISSUER, service.url)
      .replaceAll(PAGE, 'http://shop.example/cup');
    page = html(JSON.parse(text));
    shop = await loopbackServer(({ path }) => {
      if (path === '/cup?ref=x') return { body: page };
      if (path === '/locked') return { status: 401, body: GATE };
      if (path === '/away') return { status: 302, headers: { location: 'http://shop.example/cup?ref=x' } };
      return path === '/old'
        ? { status: 302, headers: { location: '/cup?ref=x' } }
        : { status: 404, body: 'gone' };
    });
  });

  const over = (url: string, more: readonly string[] = []) =>
    runCli(['verify', url, '--connect-to', `shop.example=127.0.0.1:${shop.port}`, '--json', ...more], {
      now: TEST_NOW,
      env: { TOUCHSTONE_ISSUER: service.url },
    });

  it('fetches only the page and, of the issuer, its keys and what status lists say', async () => {
    const ran = await over('http://shop.example/cup?ref=x');
    expect(ran.json()).toMatchObject({ verdict: 'verified', warnings: [] });
    expect(ran.code).toBe(0);
    expect(service.asked.map(({ path }) => path)).toEqual([
      '/api/v1/.well-known/jwks.json',
      '/api/v1/.well-known/status-list-jwks.json',
      // no list says anything about it: whether its key was revoked meanwhile
      '/api/v1/.well-known/jwks.json',
    ]);
  });

  it('gives no verdict on an address that redirects to another page of its host, with or without a profile', async () => {
    for (const profile of [[], ['--profile', 'standard']]) {
      const ran = await over('http://shop.example/old', profile);
      expect([ran.code, ran.json().warnings]).toEqual([
        3,
        [expect.stringMatching(/^redirected_to_another_page: .*: http:\/\/shop\.example\/cup\?ref=x$/)],
      ]);
      expect((await over('http://shop.example/old', [...profile, '--follow-host'])).code).toBe(0);
    }
  });

  it('gives no verdict on an address that redirects to another host, with or without a profile', async () => {
    const more = [
      '--connect-to',
      ['shop', 'copy'].map((name) => `${name}.example=127.0.0.1:${shop.port}`).join(','),
    ];
    const away = (...options: string[]) => over('http://copy.example/away', [...more, ...options]);
    const ran = await away();
    expect(ran.json()).toMatchObject({ verdict: 'verified', final_url: 'http://shop.example/cup?ref=x' });
    expect(ran.json().warnings).toEqual([expect.stringMatching(/^redirected_to_another_host: /)]);
    expect(ran.code).toBe(3);
    expect((await away('--follow-host')).code).toBe(0);
    const byProfile = await away('--profile', 'standard');
    expect(byProfile.json()).toMatchObject({ status: 'trusted', warnings: ran.json().warnings });
    expect(byProfile.code).toBe(3);
    expect((await away('--profile', 'standard', '--follow-host')).code).toBe(0);
    const text = await runCli(['verify', 'http://copy.example/away', ...more, '--profile', 'minimal'], {
      now: TEST_NOW,
      env: { TOUCHSTONE_ISSUER: service.url },
    });
    expect(text.out).toMatch(/^ANOTHER PAGE {2}http:\/\/shop\.example\/cup\?ref=x\n/);
  });

  it('fetches the keys of the trusted issuer that the proof names, and no other issuer can vouch for it', async () => {
    const other = await loopbackServer(() => ({ body: issuer.jwks }));
    const both = await over('http://shop.example/cup?ref=x', [
      '--issuer',
      other.url,
      '--issuer',
      service.url,
    ]);
    expect(both.code).toBe(0);
    expect(other.asked).toEqual([]);
    // the keys of `other` would match, but the proof's issuer is not trusted: no keys are fetched
    const text = html(
      JSON.parse(JSON.stringify(await issuer.certificate()).replaceAll(TEST_ISSUER, other.url)),
    );
    const alone = await runCli(['verify', '-', '--page-url', PAGE, '--issuer', other.url, '--json'], {
      stdin: text,
      now: TEST_NOW,
    });
    expect(alone.json()).toMatchObject({
      verdict: 'checks_failed',
      mc4p: { checks: { signatureValid: false, certificateIntegrity: false } },
    });
    expect(other.asked).toEqual([]);
    await other.close();
  });

  it('recognises a password page that is served with an error status', async () => {
    const { code, json } = await over('http://shop.example/locked').then((ran) => ({
      ...ran,
      json: ran.json(),
    }));
    expect([code, json.verdict]).toEqual([3, 'password_protected']);
  });

  it('cannot tell when the page or the keys cannot be fetched', async () => {
    expect((await over('http://shop.example/gone')).json()).toMatchObject({ verdict: 'page_fetch_failed' });
    expect((await over('http://shop.example/gone')).code).toBe(3);
    const dark = await over('http://shop.example/cup?ref=x', ['--issuer', `http://127.0.0.1:${shop.port}`]);
    expect(dark.code).toBe(1); // its canonical source is not of that issuer, so no keys are fetched
    const keyless = `http://127.0.0.1:${shop.port}`;
    const text = html(await issuer.certificate({ claims: { iss: keyless } }));
    const noKeys = await runCli(['verify', '-', '--page-url', PAGE, '--issuer', keyless], {
      stdin: text.replaceAll(TEST_ISSUER, keyless),
      now: TEST_NOW,
    });
    expect(noKeys).toMatchObject({ code: 3, out: '', err: expect.stringContaining('--jwks') });
  });

  it('reports an untrusted issuer as such, instead of its keys as unknown, and sends no request', async () => {
    const document = JSON.stringify(await issuer.certificate({ claims: { iss: service.url } }));
    const asked = service.asked.length;
    const named = service.url.replace('http:', 'https:');
    const argv = [
      'verify',
      '-',
      '--page-url',
      PAGE,
      '--issuer',
      named,
      '--product-id',
      TEST_PRODUCT.productId,
    ];
    const { code, out } = await runCli(argv, { stdin: document, now: TEST_NOW });
    expect(code).toBe(1);
    expect(out).toContain(
      `issuer_untrusted: The issuer of the proof is not trusted. Expected ${named}. Found ${service.url}.`,
    );
    expect(out).not.toContain('key_unknown');
    expect(service.asked).toHaveLength(asked);
  });

  it('takes keys over plain http only from this machine, since anyone in between could replace them', async () => {
    const argv = ['verify', '-', '--page-url', PAGE, '--issuer', 'http://certificates.example'];
    const stdin = html(await issuer.certificate());
    expect(await runCli(argv, { stdin })).toMatchObject({ code: 64, err: expect.stringContaining('https') });
    const withKeys = await runCli([...argv, '--jwks', jwks], { stdin, now: TEST_NOW });
    expect(withKeys.code).toBe(1);
  });

  it('refuses addresses in private networks, and says how to reach a host of one’s own', async () => {
    const { code, out } = await runCli([
      'verify',
      `http://127.0.0.1:${shop.port}/cup`,
      '--issuer',
      service.url,
    ]);
    expect(code).toBe(3);
    expect(out).toContain('--connect-to');
  });
});
