import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listen, portOf } from '../../../../test/kit/servers.ts';
import { createTestIssuer } from '../testing/issuer.ts';
import { createRemoteKeySet } from './remote-key-set.ts';

const URL_OF_KEYS = 'https://certificates.example/api/v1/.well-known/jwks.json';
const { jwks } = await createTestIssuer('old');
const { jwks: rotated } = await createTestIssuer('new');
const both = { keys: [...jwks.keys, ...rotated.keys] };

/** An issuer that answers each request with the next of these, and the last one from then on. */
function answering(...answers: (() => Response | Promise<Response>)[]) {
  const asked: string[] = [];
  /** How caches on the way are to answer. */
  const modes: (string | undefined)[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(String(url));
    modes.push(init?.cache);
    return answer?.() ?? Response.error();
  };
  return { fetch, asked, modes };
}

const ok = (keys: unknown, maxAge?: number) => () =>
  Response.json(
    keys,
    maxAge === undefined ? {} : { headers: { 'cache-control': `public, max-age=${maxAge}` } },
  );
const unavailable = () => new Response('', { status: 503 });
const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1) + seconds * 1000);
const iatOf = (seconds: number) => at(seconds).getTime() / 1000;

it('fetches once for as long as the response may be cached', async () => {
  const { fetch, asked } = answering(ok(jwks, 600));
  const keys = createRemoteKeySet(URL_OF_KEYS, { fetch });
  for (const seconds of [0, 1, 599])
    expect((await keys.at(at(seconds), 'old')).find('old')).toBeTypeOf('object');
  expect(asked).toEqual([URL_OF_KEYS]);
  await keys.at(at(600), 'old');
  expect(asked).toHaveLength(2);
});

it('caches keys for an hour by default, and for a day at most', async () => {
  for (const [answer, seconds] of [[ok(jwks), 3600] as const, [ok(jwks, 999_999), 86_400] as const]) {
    const { fetch, asked } = answering(answer);
    const keys = createRemoteKeySet(URL_OF_KEYS, { fetch });
    await keys.at(at(0));
    await keys.at(at(seconds - 1));
    expect(asked).toHaveLength(1);
    await keys.at(at(seconds));
    expect(asked).toHaveLength(2);
  }
});

it('fetches again for an unknown kid, so that a rotated key is found', async () => {
  const { fetch, asked } = answering(ok(jwks), ok(both));
  const keys = createRemoteKeySet(URL_OF_KEYS, { fetch });
  await keys.at(at(0), 'old');
  expect((await keys.at(at(30), 'new')).find('new')).toBeTypeOf('object');
  expect(asked).toHaveLength(2);
});

it('fetches past caches for an unknown kid, even if it has just fetched through one', async () => {
  const { fetch, modes } = answering(ok(jwks), ok(both));
  const keys = createRemoteKeySet(URL_OF_KEYS, { fetch });
  expect((await keys.at(at(0), 'new', iatOf(0))).find('new')).toBeTypeOf('object');
  expect(modes).toEqual([undefined, 'no-store']);
});

it('names caches by a header where the runtime does not know the option', async () => {
  const known = Object.getOwnPropertyDescriptor(Request.prototype, 'cache') as PropertyDescriptor;
  onTestFinished(() => void Object.defineProperty(Request.prototype, 'cache', known));
  Reflect.deleteProperty(Request.prototype, 'cache');
  const sent: (RequestInit | undefined)[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent.push(init);
    return Response.json(jwks);
  };
  await createRemoteKeySet(URL_OF_KEYS, { fetch }).at(at(0), 'new');
  expect(sent.map((init) => new Headers(init?.headers).get('cache-control'))).toEqual([null, 'no-cache']);
  for (const init of sent) expect(init).not.toHaveProperty('cache');
});

it('does not tell that a kid is unknown before it has read keys newer than the proof', async () => {
  const older = { code: 'keys_unavailable', message: expect.stringContaining('before the proof was issued') };
  const { fetch, asked } = answering(ok(jwks), ok(jwks), ok(jwks), unavailable, ok(jwks));
  const keys = createRemoteKeySet(URL_OF_KEYS, { fetch });
  // read for this very proof, so newer than it, even if its issuer's clock is ahead
  expect((await keys.at(at(0), 'new', iatOf(200))).find('new')).toBe('key_unknown');
  // no request before the cooldown is over
  await expect(keys.at(at(10), 'new', iatOf(5))).rejects.toMatchObject(older);
  expect((await keys.at(at(10), 'new', iatOf(-1))).find('new')).toBe('key_unknown');
  expect((await keys.at(at(10), 'old', iatOf(5))).find('old')).toBeTypeOf('object');
  expect(asked).toHaveLength(2);
  expect((await keys.at(at(30), 'new', iatOf(5))).find('new')).toBe('key_unknown');
  await expect(keys.at(at(60), 'new', iatOf(50))).rejects.toThrow('It answered 503.');
  expect((await keys.at(at(60), 'new', iatOf(20))).find('new')).toBe('key_unknown');
  expect((await keys.at(at(90), 'new', iatOf(50))).find('new')).toBe('key_unknown');
});

it('does not wait for keys that no genuine proof can need', async () => {
  const keys = createRemoteKeySet(URL_OF_KEYS, { fetch: answering(ok(jwks)).fetch });
  await keys.at(at(0), 'new');
  for (const iat of [undefined, 'today', Number.NaN, null, iatOf(10 + 301), Number.POSITIVE_INFINITY])
    expect((await keys.at(at(10), 'new', iat)).find('new')).toBe('key_unknown');
});

it('does not take a set for new that a shared cache had on the way', async () => {
  const old = () => Response.json(jwks, { headers: { age: '120' } });
  const keys = createRemoteKeySet(URL_OF_KEYS, { fetch: answering(old).fetch });
  await expect(keys.at(at(0), 'new', iatOf(-60))).rejects.toMatchObject({ code: 'keys_unavailable' });
  expect((await keys.at(at(0), 'new', iatOf(-122))).find('new')).toBe('key_unknown');
});

it('fetches once per cooldown past caches, however many kids are made up', async () => {
  const { fetch, asked } = answering(ok(jwks));
  const keys = createRemoteKeySet(URL_OF_KEYS, { fetch });
  for (let i = 0; i < 50; i++) {
    expect((await keys.at(at(i / 2), `made-up-${i}`)).find(`made-up-${i}`)).toBe('key_unknown');
  }
  expect(asked).toHaveLength(2);
  await keys.at(at(30), 'made-up');
  expect(asked).toHaveLength(3);
});

it('fetches once for concurrent calls', async () => {
  const { fetch, asked } = answering(ok(jwks));
  const keys = createRemoteKeySet(URL_OF_KEYS, { fetch });
  await Promise.all(Array.from({ length: 20 }, () => keys.at(at(0), 'old')));
  expect(asked).toHaveLength(1);
});

it('does not wait forever for the fetch of another call that was aborted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { fetch, asked } = answering(() => new Promise<Response>(() => {}), ok(jwks));
  const keys = createRemoteKeySet(URL_OF_KEYS, { fetch });
  void keys.at(at(0), 'old');
  const others = Promise.all([keys.at(at(0), 'old'), keys.at(at(1), 'old')]);
  await vi.advanceTimersByTimeAsync(3000);
  for (const keySet of await others) expect(keySet.find('old')).toBeTypeOf('object');
  expect((await keys.at(at(2), 'old')).find('old')).toBeTypeOf('object');
  expect(asked).toHaveLength(2);
});

it('uses old keys for a day while the issuer does not answer, and no longer', async () => {
  const { fetch } = answering(ok(jwks, 60), unavailable);
  const keys = createRemoteKeySet(URL_OF_KEYS, { fetch });
  await keys.at(at(0));
  expect((await keys.at(at(61))).find('old')).toBeTypeOf('object');
  expect((await keys.at(at(86_400))).find('old')).toBeTypeOf('object');
  await expect(keys.at(at(86_460))).rejects.toMatchObject({ code: 'keys_unavailable' });
});

it('does not take a response without keys for a new set', async () => {
  const { fetch } = answering(ok(jwks, 60), ok({ keys: [] }));
  const keys = createRemoteKeySet(URL_OF_KEYS, { fetch });
  await keys.at(at(0));
  expect((await keys.at(at(61))).find('old')).toBeTypeOf('object');
});

it('reports that keys cannot be fetched, whatever the response, and asks again only after the cooldown', async () => {
  const large = () => new Response(`{"keys":["${'x'.repeat(1_000_001)}"]}`);
  const broken = () => Promise.reject(new TypeError('no route'));
  for (const answer of [
    unavailable,
    large,
    broken,
    () => new Response('<html>'),
    ok([]),
    ok(null),
    ok({ keys: {} }),
  ]) {
    const { fetch, asked } = answering(answer);
    const keys = createRemoteKeySet(URL_OF_KEYS, { fetch });
    for (const seconds of [0, 1, 29]) {
      await expect(keys.at(at(seconds), 'old')).rejects.toMatchObject({ code: 'keys_unavailable' });
    }
    expect(asked).toHaveLength(1);
    await expect(keys.at(at(30), 'old')).rejects.toThrow(URL_OF_KEYS);
    expect(asked).toHaveLength(2);
  }
});

it('follows no redirect, and uses only what edge runtimes support', async () => {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    paths.push(url);
    if (url === '/keys') response.writeHead(302, { location: '/elsewhere' }).end();
    else response.end(JSON.stringify(jwks));
  });
  await listen(server);
  const url = `http://127.0.0.1:${portOf(server)}/keys`;
  // as in Cloudflare's runtime, which knows two of the three
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    if (init.redirect === 'error') throw new TypeError('Invalid redirect value');
    return globalThis.fetch(input, init);
  };
  await expect(createRemoteKeySet(url, { fetch }).at(at(0))).rejects.toThrow(
    'redirects, which is not followed',
  );
  expect(paths).toEqual(['/keys']);
  server.close();
});

it('says why the keys cannot be fetched, and what to do', async () => {
  const opaque = () => Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
  const unreachable = () =>
    Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 192.0.2.1:443') }));
  const answers = [
    [() => new Response('<html>Maintenance'), 'It is not JSON.'],
    [ok({ keys: [] }), 'It contains no keys.'],
    [unavailable, 'It answered 503.'],
    [opaque, 'It redirects, which is not followed.'],
    [unreachable, 'fetch failed (connect ECONNREFUSED 192.0.2.1:443)'],
  ] as const;
  for (const [answer, why] of answers) {
    const keys = createRemoteKeySet(URL_OF_KEYS, { fetch: answering(answer).fetch });
    await expect(keys.at(at(0))).rejects.toThrow(`${URL_OF_KEYS}: ${why}`);
  }
});

it('accepts keys only over https or from the local machine', () => {
  for (const url of [
    'http://certificates.example/keys',
    'ftp://localhost/',
    'keys.json',
    '',
    'http://10.0.0.1/',
  ]) {
    expect(() => createRemoteKeySet(url)).toThrow(expect.objectContaining({ code: 'keys_address_unsafe' }));
  }
  for (const url of [
    'http://127.0.0.1:8787/k',
    'http://[::1]/k',
    'http://localhost/k',
    'http://a.localhost/k',
  ]) {
    expect(() => createRemoteKeySet(url)).not.toThrow();
  }
});
