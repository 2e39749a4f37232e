import { OPERATIONS, type Operation, pathOf } from '@touchstone/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestService, testService } from '../../testing.ts';
import {
  CHANGING,
  goodBody,
  keptBy,
  type SignedIn,
  signedIn,
  type WholeMerchant,
  wholeMerchant,
} from './testing.ts';

let service: TestService;
let merchant: WholeMerchant;
/** Of the operator, who may do everything. */
let victim: SignedIn;
beforeAll(async () => {
  service = await testService();
  merchant = await wholeMerchant(service, 'shop.example');
  victim = await signedIn(service, service.operatorKey ?? '');
});
afterAll(() => service.dispose());

type Headers = Readonly<Record<string, string>>;

/** The status of a call, and the code of a refusal. */
async function attempt(
  operation: Operation,
  headers: Headers,
  method: string = operation.method,
): Promise<string> {
  const body = method === 'GET' ? undefined : goodBody(operation, merchant.ids);
  const response = await fetch(`${service.url}${pathOf(operation, merchant.ids)}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { code } = (text.startsWith('{') ? JSON.parse(text) : {}) as { code?: string };
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

const own = (): Headers => ({ origin: service.url, 'sec-fetch-site': 'same-origin' });
/** The sign-in has no session yet, so no token either. */
const withSession = CHANGING.filter(({ access }) => access !== 'public');

it('has an accepted body for each operation that changes something, so that none is refused for another reason', () => {
  expect(CHANGING.length).toBeGreaterThanOrEqual(35);
  for (const operation of CHANGING.filter(({ body }) => body !== undefined)) {
    const body = goodBody(operation, merchant.ids);
    expect([operation.id, operation.body?.safeParse(body).success]).toEqual([operation.id, true]);
  }
});

describe('a page of another site, in the browser of somebody who is signed in', () => {
  const site = (value: string, origin: string) => ({ 'sec-fetch-site': value, origin });
  it.each<[string, () => Headers]>([
    ['a form', () => site('cross-site', 'https://evil.example')],
    [
      'a form of plain text',
      () => ({ ...site('cross-site', 'https://evil.example'), 'content-type': 'text/plain' }),
    ],
    ['a page on another port of this host', () => site('same-site', 'http://127.0.0.1:9')],
    ['a frame without an origin', () => site('cross-site', 'null')],
    [
      'a page with the right token',
      () => ({ ...site('same-site', 'http://127.0.0.1:9'), 'x-csrf-token': victim.csrfToken }),
    ],
    ['a browser that sends no such header', () => ({ 'x-csrf-token': victim.csrfToken })],
    ['an address that was typed in', () => ({ 'sec-fetch-site': 'none', 'x-csrf-token': victim.csrfToken })],
  ])('changes nothing by any call: %s', async (_, headers) => {
    const before = await keptBy(service);
    for (const operation of CHANGING)
      expect([operation.id, await attempt(operation, { ...headers(), cookie: victim.cookie })]).toEqual([
        operation.id,
        '403 cross_site_refused',
      ]);
    expect(await keptBy(service)).toBe(before);
  });

  it.each<[string, () => Promise<Headers>]>([
    ['without a token', async () => ({})],
    [
      'with the token of the attacker’s own session',
      async () => ({ 'x-csrf-token': (await signedIn(service, merchant.key)).csrfToken }),
    ],
    ['with the cookie in its place', async () => ({ 'x-csrf-token': victim.cookie.split('=')[1] ?? '' })],
  ])('nor does a call that seems to be of our page, %s', async (_, token) => {
    const headers = { ...own(), ...(await token()), cookie: victim.cookie };
    const before = await keptBy(service);
    for (const operation of withSession)
      expect([operation.id, await attempt(operation, headers)]).toEqual([
        operation.id,
        '403 csrf_token_wrong',
      ]);
    expect(await keptBy(service)).toBe(before);
  });

  it('no link has any effect, nor any other GET of a browser, even if it names another method', async () => {
    const before = await keptBy(service);
    for (const operation of withSession)
      for (const headers of [
        {},
        { 'x-http-method-override': operation.method, 'x-method-override': operation.method },
      ])
        await attempt(operation, { 'sec-fetch-site': 'none', cookie: victim.cookie, ...headers }, 'GET');
    expect(await keptBy(service)).toBe(before);
  });
});

describe('a cookie that an attacker planted in the browser', () => {
  const everyCall = async (cookie: string, token: string, refusal: unknown) => {
    const before = await keptBy(service);
    for (const operation of withSession)
      expect([operation.id, await attempt(operation, { ...own(), cookie, 'x-csrf-token': token })]).toEqual([
        operation.id,
        refusal,
      ]);
    expect(await keptBy(service)).toBe(before);
  };

  it('grants access to no operation, before the sign-in and after it', async () => {
    const planted = `touchstone_session=${'A'.repeat(43)}`;
    await everyCall(planted, victim.csrfToken, '401 session_missing');
    const begun = await signedIn(service, service.operatorKey ?? '', planted);
    expect(begun.cookie).not.toBe(planted);
    await everyCall(planted, begun.csrfToken, '401 session_missing');
  });

  it('of the attacker’s own session does not become the session of the person who signs in, and ends', async () => {
    const attacker = await signedIn(service, merchant.key);
    const begun = await signedIn(service, service.operatorKey ?? '', attacker.cookie);
    expect(begun.cookie).not.toBe(attacker.cookie);
    await everyCall(attacker.cookie, attacker.csrfToken, '401 session_missing');
    await everyCall(attacker.cookie, begun.csrfToken, '401 session_missing');
  });

  it('in addition to the real one makes every call fail, since the owner is ambiguous', async () => {
    const attacker = await signedIn(service, merchant.key);
    for (const cookie of [`${attacker.cookie}; ${victim.cookie}`, `${victim.cookie}; ${attacker.cookie}`])
      await everyCall(
        cookie,
        victim.csrfToken,
        expect.stringMatching(/^401 (?:credentials|session)_missing$/),
      );
  });
});

it('no page can be framed by another site, so that no click can be hijacked', async () => {
  const shown = OPERATIONS.filter(
    ({ id, page, replies }) =>
      // a service at this address has no name in UCP; test/parts/ucp.test.ts asks another
      id !== 'ucpSpecification' &&
      (page === true || replies[200]?.mediaType?.startsWith('text/html') === true),
  );
  expect(shown.map(({ id }) => id)).toEqual(expect.arrayContaining(['consolePage', 'consolePlace', 'home']));
  const ids = { ...merchant.ids, asset_id: merchant.ids.image_id, code: 'verified', place: 'keys' };
  for (const operation of shown) {
    const path = pathOf(operation, ids).replaceAll('undefined', crypto.randomUUID());
    const { headers } = await fetch(service.url + path, { headers: { accept: 'text/html' } });
    const policy = headers.get('content-security-policy') ?? '';
    expect([operation.id, headers.get('content-type'), policy.includes("frame-ancestors 'none'")]).toEqual([
      operation.id,
      expect.stringContaining('text/html'),
      true,
    ]);
  }
});

it('the page itself may call every operation: the refusals were due to the origin', async () => {
  const begun = await signedIn(service, service.operatorKey ?? '');
  const headers = { ...own(), cookie: begun.cookie, 'x-csrf-token': begun.csrfToken };
  const ending = (operation: Operation) => (operation.id === 'endSession' ? 1 : 0);
  for (const operation of withSession.toSorted((a, b) => ending(a) - ending(b)))
    expect([operation.id, await attempt(operation, headers)]).toEqual([
      operation.id,
      expect.not.stringMatching(/cross_site|csrf|session_missing|credentials|forbidden/),
    ]);
});
