import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpbis } from 'http-message-signatures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../../../../test/kit/servers.ts';
import { createTestAuthority } from '../../../../fetch/src/testing-certificates.ts';
import { type TestService, testService } from '../../testing.ts';

const BASE = 'https://certificates.example';
const DIRECTORY = '/.well-known/http-message-signatures-directory';
/** Our own name in both forms. */
const OURS = `sig1="${BASE}", sig2="${BASE}${DIRECTORY}"`;

interface Directory {
  readonly keys: readonly (JsonWebKey & { readonly kid: string })[];
}
interface Asked {
  readonly url: string;
  readonly headers: Record<string, string>;
}

let asked: Asked[];
let service: TestService;
let directory: Directory;
let shopPort: number;
let challenge = '';
const closing: (() => void)[] = [];

function note(scheme: string, headers: IncomingHttpHeaders, path = '') {
  const known = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  asked.push({ url: `${scheme}://${headers.host}${path}`, headers: Object.fromEntries(known) });
}

/** As a shop would: our keys from our directory, everything else from another library. */
function verified({ url, headers }: Asked, of = directory): Promise<boolean | null> {
  return httpbis.verifyMessage(
    {
      requiredFields: ['@authority', 'signature-agent'],
      requiredParams: ['created', 'expires', 'keyid', 'tag'],
      keyLookup: async ({ keyid }) => {
        const jwk = of.keys.find(({ kid }) => kid === keyid);
        if (jwk === undefined) return null;
        const key = createPublicKey({ key: jwk, format: 'jwk' });
        return { verify: async (data, signature) => verify(null, data, key, signature) };
      },
    },
    { method: 'GET', url, headers },
  );
}

type Draft = '00 of the working group, and the individual ones' | '01 of the working group';
const DRAFTS: readonly Draft[] = [
  '00 of the working group, and the individual ones',
  '01 of the working group',
];

/** Where a draft says that the keys of a name are; `null`: it does not understand the name. */
function keysAddress(draft: Draft, name: string): string | null {
  if (draft === '01 of the working group') return name;
  return new URL(name).origin === name ? `${name}${DIRECTORY}` : null;
}

/** The signatures of a request that a verifier of a draft finds valid, by the keys that it finds; of no other says it that they are invalid. */
async function verifiedBy(draft: Draft, { url, headers }: Asked): Promise<string[]> {
  const names = [...(headers['signature-agent'] ?? '').matchAll(/(\w+)="([^"]+)"/g)];
  const verdicts = names.map(async ([, label = '', name = '']) => {
    const address = keysAddress(draft, name);
    if (address === null) return [];
    const response = await fetch(`${service.url}${address.slice(BASE.length)}`, { redirect: 'manual' });
    const text = await response.text();
    if (response.status !== 200 || !text.startsWith('{"keys"')) return [];
    const only = (header: string) =>
      headers[header]?.split(/, (?=sig\d=)/).find((member) => member.startsWith(`${label}=`)) ?? '';
    const own = { ...headers, 'signature-input': only('signature-input'), signature: only('signature') };
    expect(own['signature-input']).toContain(`"signature-agent";key="${label}"`);
    expect(await verified({ url, headers: own }, JSON.parse(text) as Directory)).toBe(true);
    return [label];
  });
  return (await Promise.all(verdicts)).flat();
}

const checked = (url: string) =>
  service.operate('POST', '/api/v1/mc4p/page-checks', { url, freshness: 'fresh' });

beforeAll(async () => {
  const authority = createTestAuthority();
  const tls = authority.issue('shop.example', new Date(Date.now() + 86_400_000));
  const plain = createServer((request, response) => {
    note('http', request.headers, request.url);
    if (request.url === '/moved') response.writeHead(302, { location: 'http://other.example/cup' }).end();
    else response.setHeader('content-type', 'text/html').end('<html><head></head></html>');
  });
  const secure = createTlsServer(tls, (request, response) => {
    note('https', request.headers, request.url);
    const location = new URL(request.url ?? '', BASE).searchParams.get('to');
    if (location !== null) return void response.writeHead(302, { location }).end();
    response.setHeader('content-type', request.url?.includes('challenge') ? 'text/plain' : 'text/html');
    response.end(request.url?.includes('challenge') ? challenge : '<html></html>');
  });
  closing.push(
    () => closeServer(plain),
    () => closeServer(secure),
  );
  const [http, https] = [await listen(plain), await listen(secure)];
  shopPort = http;
  const ca = join(tmpdir(), `touchstone-test-ca-${process.pid}.pem`);
  await writeFile(ca, authority.certificate);
  service = await testService({
    settings: {
      TOUCHSTONE_BASE_URL: BASE,
      TOUCHSTONE_FETCH_CA_FILE: ca,
      TOUCHSTONE_FETCH_CONNECT_TO: [
        `shop.example:80=127.0.0.1:${http}`,
        `shop.example:443=127.0.0.1:${https}`,
        `shop.example:8443=127.0.0.1:${https}`,
        `other.example=127.0.0.1:${http}`,
      ].join(','),
    },
  });
  const response = await fetch(`${service.url}${DIRECTORY}`);
  directory = (await response.json()) as Directory;
  asked = [];
});
afterAll(async () => {
  for (const close of closing) close();
  await service?.dispose();
});

describe('a request to a shop', () => {
  it('names the sender, and is verified by another library with the key of the directory', async () => {
    asked = [];
    await checked('http://shop.example/cup');
    expect(asked).toHaveLength(1);
    const [request] = asked as [Asked];
    expect(request.headers['signature-agent']).toBe(OURS);
    const inputs = (request.headers['signature-input'] ?? '').split(', ');
    for (const [at, input] of inputs.entries())
      expect(input).toMatch(
        new RegExp(
          `^sig${at + 1}=\\("@authority" "signature-agent";key="sig${at + 1}"\\);created=\\d+;keyid="[\\w-]{43}";alg="ed25519";expires=\\d+;nonce="[\\w+/=]{88}";tag="web-bot-auth"$`,
        ),
      );
    expect(new Set(inputs.map((input) => /nonce="([^"]+)"/.exec(input)?.[1])).size).toBe(2);
    expect(await verified(request)).toBe(true);
    expect(await verified({ ...request, url: 'http://thief.example/cup' })).toBe(false);
    // each draft finds the keys where it looks for them, for one of the signatures
    expect(await Promise.all(DRAFTS.map((draft) => verifiedBy(draft, request)))).toEqual([
      ['sig1'],
      ['sig2'],
    ]);
  });

  it('is signed on every hop for the host of that hop, with another nonce', async () => {
    asked = [];
    await checked('http://shop.example/moved');
    expect(asked.map(({ url }) => url)).toEqual(['http://shop.example/moved', 'http://other.example/cup']);
    expect(await Promise.all(asked.map((request) => verified(request)))).toEqual([true, true]);
    expect(asked[0]?.headers['signature-input']).not.toBe(asked[1]?.headers['signature-input']);
  });
});

describe('the key directory', () => {
  it('contains the signing key and the next ones, and is signed by each for our own host', async () => {
    const response = await fetch(`${service.url}${DIRECTORY}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/http-message-signatures-directory+json');
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    const body = await response.text();
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    expect(response.headers.get('content-digest')).toBe(digest);
    const { keys } = JSON.parse(body) as Directory;
    expect(keys).toHaveLength(3);
    for (const key of keys) expect(Object.keys(key).toSorted()).toEqual(['crv', 'kid', 'kty', 'use', 'x']);
    for (const { kid } of keys) {
      const inputs = (response.headers.get('signature-input') ?? '').split(/, (?=binding)/);
      const signatures = (response.headers.get('signature') ?? '').split(', ');
      const index = inputs.findIndex((input) => input.includes(kid));
      expect(inputs[index]).toContain('("@authority";req "content-digest")');
      expect(inputs[index]).toContain('tag="http-message-signatures-directory"');
      const answer = {
        status: 200,
        headers: {
          'content-digest': digest,
          'signature-input': inputs[index] ?? '',
          signature: signatures[index] ?? '',
        },
      };
      const config = {
        keyLookup: async () => {
          const jwk = keys.find((key) => key.kid === kid) as JsonWebKey;
          const key = createPublicKey({ key: jwk, format: 'jwk' });
          return { verify: async (data: Buffer, made: Buffer) => verify(null, data, key, made) };
        },
      };
      const request = (host: string) => ({ method: 'GET', url: `https://${host}${DIRECTORY}`, headers: {} });
      expect(await httpbis.verifyMessage(config, answer, request('certificates.example'))).toBe(true);
      expect(await httpbis.verifyMessage(config, answer, request('mirror.example'))).toBe(false);
    }
  });

  it('removes a revoked key at once; the key is listed with its purpose', async () => {
    const { keys } = (await service.operate('GET', '/api/v1/registry/signing-keys')) as {
      keys: { kid: string; purpose: string; state: string }[];
    };
    const standby = keys.find(({ purpose, state }) => purpose === 'requests' && state === 'standby');
    await service.operate('POST', `/api/v1/registry/signing-keys/${standby?.kid}/revoke`);
    const after = (await (await fetch(`${service.url}${DIRECTORY}`)).json()) as Directory;
    expect(after.keys.map(({ kid }) => kid)).not.toContain(standby?.kid);
    expect(after.keys).toHaveLength(3);
  });
});

describe("a merchant's own signature headers", () => {
  const given = {
    'Signature-Input':
      'sig1=("@authority" "signature-agent");keyid="k";tag="web-bot-auth"; expires=4102444800',
    Signature: 'sig1=:c2VjcmV0LXNpZ25hdHVyZQ==:',
    'Signature-Agent': '"https://shopify.com"',
  };
  interface StoreView {
    readonly id: string;
    readonly domains: readonly { readonly challenge: string }[];
    readonly requestHeaders?: unknown;
  }
  let store: StoreView;
  const storePath = () => `/api/v1/registry/stores/${store.id}`;
  const patch = (requestHeaders: unknown) =>
    service.operate('PATCH', storePath(), { requestHeaders }) as Promise<StoreView>;
  const sent = async (url: string) => {
    asked = [];
    await checked(url);
    return asked[0]?.headers['signature-agent'];
  };

  beforeAll(async () => {
    const { id } = (await service.operate('POST', '/api/v1/registry/merchants', {
      name: 'M',
      planCapacity: 1,
    })) as { id: string };
    const body = { merchantId: id, name: 'S', url: 'https://shop.example' };
    store = (await service.operate('POST', '/api/v1/registry/stores', body)) as StoreView;
  });

  it('are sent to no host that is not proven', async () => {
    const { requestHeaders } = await patch(given);
    expect(requestHeaders).toEqual({
      signatureAgent: '"https://shopify.com"',
      expiresAt: '2100-01-01T00:00:00.000Z',
      state: 'no_proven_domain',
      sentTo: [],
    });
    expect(await sent('https://shop.example/cup?1')).toBe(OURS);
  });

  it('replace ours on the proven hosts of the store, over https only', async () => {
    challenge = store.domains[0]?.challenge ?? '';
    await service.operate('POST', `${storePath()}/domains/shop.example/verify`);
    const view = (await service.operate('GET', storePath())) as StoreView;
    expect(view.requestHeaders).toMatchObject({ state: 'sent', sentTo: ['shop.example'] });
    expect(await sent('https://shop.example/cup?2')).toBe('"https://shopify.com"');
    expect(asked[0]?.headers).toMatchObject({
      'signature-input': given['Signature-Input'],
      signature: given.Signature,
    });
    expect(await sent('http://shop.example/cup?3')).toBe(OURS);
    expect(await sent('http://other.example/cup?4')).toBe(OURS);
  });

  it.each(['http://shop.example/cup', 'https://shop.example:8443/cup', 'http://other.example/cup'])(
    'are not sent along a redirect to %s: that hop has our own',
    async (location) => {
      expect(await sent(`https://shop.example/?to=${encodeURIComponent(location)}`)).toBe(
        '"https://shopify.com"',
      );
      expect(asked.map(({ url }) => url).slice(1)).toEqual([location]);
      expect(asked[1]?.headers['signature-agent']).toBe(OURS);
      expect(asked[1]?.headers.signature).not.toBe(given.Signature);
    },
  );

  it('are encrypted in the database and masked in every response', async () => {
    const rows = await service.database.query('select * from store_request_headers');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows.map(({ sealed }) => String(sealed)))).not.toContain('c2VjcmV0');
    expect(JSON.stringify(await service.operate('GET', storePath()))).not.toContain('c2VjcmV0');
  });

  it.each([
    ['another name', { ...given, Authorization: 'Bearer x' }, 422],
    ['no signature', { 'Signature-Input': given['Signature-Input'] }, 422],
    ['an invalid signature input', { ...given, 'Signature-Input': 'hello' }, 422],
    ['a line break', { ...given, Signature: 'sig1=:a:\r\nHost: x' }, 422],
    [
      'what has expired',
      { ...given, 'Signature-Input': given['Signature-Input'].replace('4102444800', '1000000000') },
      409,
    ],
  ])('are refused with %s', async (_, headers, status) => {
    await expect(patch(headers)).rejects.toThrow(String(status));
  });

  it('are removed by null', async () => {
    expect(await patch(null)).not.toHaveProperty('requestHeaders');
    expect(await sent('https://shop.example/cup?5')).toBe(OURS);
  });
});

describe('a service that does not sign', () => {
  it.each([
    ['because it is configured not to', { TOUCHSTONE_BASE_URL: BASE, TOUCHSTONE_SIGN_REQUESTS: 'false' }],
    ['because nobody could fetch the key from its plain http address', {}],
  ])('%s sends no signature, and has no directory', async (_, settings) => {
    const connectTo = `shop.example:80=127.0.0.1:${shopPort}`;
    const other = await testService({ settings: { TOUCHSTONE_FETCH_CONNECT_TO: connectTo, ...settings } });
    asked = [];
    await other.operate('POST', '/api/v1/mc4p/page-checks', { url: 'http://shop.example/cup' });
    expect(Object.keys(asked[0]?.headers ?? {}).filter((name) => name.startsWith('signature'))).toEqual([]);
    const response = await fetch(`${other.url}${DIRECTORY}`);
    const body = await response.json();
    await other.dispose();
    expect(response.status).toBe(404);
    expect(body).toMatchObject({ code: 'requests_not_signed' });
  });
});
