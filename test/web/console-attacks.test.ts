import { CSRF_HEADER, type Operation, pathOf, SESSION_COOKIE } from '@touchstone/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CHANGING,
  goodBody,
  keptBy,
  type WholeMerchant,
  wholeMerchant,
} from '../../packages/server/src/parts/console/testing.ts';
import { NO_BROWSER, type OpenPage, PATIENCE } from './support/browser.ts';
import { type ConsoleScene, openConsole } from './support/console.ts';
import { openWire, type Sent, type Wire } from './support/wire.ts';

/** Everything in a call except the session and its token: what an attacker may know. */
interface AttackedCall {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

describe.skipIf(NO_BROWSER !== null)('foreign pages, in a browser whose operator is signed in', () => {
  let at: ConsoleScene;
  let wire: Wire;
  let opened: OpenPage;
  let attacker: Page;
  let merchant: WholeMerchant;
  beforeAll(async () => {
    at = await openConsole({ TOUCHSTONE_CERTIFICATES_AHEAD: 'false' });
    merchant = await wholeMerchant(at.scene.service, 'shop.example');
    wire = await openWire(at.scene.service.url);
    opened = await at.signIn(at.operatorKey, `${wire.url}/console`);
    // another port of the same host, to which browsers send even strict cookies
    const place = `http://127.0.0.1:${at.scene.shop.port}/attack`;
    at.scene.shop.put(place, '<!doctype html><title>Prize</title>');
    attacker = await opened.page.context().newPage();
    await attacker.goto(place);
  });
  afterAll(async () => {
    await opened?.close();
    await wire?.close();
    await at?.close();
  });

  const callOf = (operation: Operation): AttackedCall => {
    // an attacker who signs others in uses a valid key: the attacker's own
    const good =
      operation.id === 'beginSession' ? { apiKey: merchant.key } : goodBody(operation, merchant.ids);
    const { id, method } = operation;
    const path = pathOf(operation, merchant.ids);
    return { id, method, path, ...(good === undefined ? {} : { body: JSON.stringify(good) }) };
  };

  const run = (page: Page, script: string, { path, ...call }: AttackedCall) =>
    page.evaluate(
      `(async ({ method, url, body }) => { ${script} })(${JSON.stringify({ ...call, url: wire.url + path })})`,
    );

  /** The status of the same call, made by the console itself with the session of this browser. */
  const ours = (call: AttackedCall) =>
    run(
      opened.page,
      `const { csrfToken } = await (await fetch('/console/session')).json();
       const headers = { 'content-type': 'application/json', '${CSRF_HEADER}': csrfToken };
       return (await fetch(url, { method, body, headers })).status;`,
      call,
    );

  let renamed = 0;
  /**
   * The requests of an attack that reached the service. They change nothing although the session is valid: directly afterwards, the console
   * makes a change with it.
   */
  async function attackedBy(script: string, call: AttackedCall): Promise<readonly Sent[]> {
    const before = await keptBy(at.scene.service);
    const from = wire.sent.length;
    expect([call.id, await run(attacker, script, call)]).toEqual([call.id, 'refused']);
    // requests by the console itself at the same time do not count
    const came = wire.sent.slice(from).filter(({ headers }) => headers['sec-fetch-site'] !== 'same-origin');
    expect(await keptBy(at.scene.service)).toBe(before);
    const path = `/api/v1/registry/merchants/${merchant.ids.merchant_id}`;
    renamed += 1;
    const body = JSON.stringify({ name: `Renamed ${renamed}` });
    expect(await ours({ id: 'updateMerchant', method: 'PATCH', path, body })).toBe(200);
    expect(await keptBy(at.scene.service)).not.toBe(before);
    return came;
  }

  /** It had the session cookie, and was rejected because of its origin. */
  function expectRefused({ id, method, path }: AttackedCall, came: readonly Sent[]): void {
    const told = came.map((one) => ({
      call: `${one.method} ${one.path}`,
      hasSession: (one.headers.cookie ?? '').includes(`${SESSION_COOKIE}=`),
      site: one.headers['sec-fetch-site'],
      status: one.status,
    }));
    const expected = { call: `${method} ${path}`, hasSession: true, site: 'same-site', status: 403 };
    expect([id, told]).toEqual([id, [expected]]);
  }

  const posts = () => CHANGING.map(callOf).filter(({ method }) => method === 'POST');

  it(
    'change nothing by a simple request, even though it includes the session',
    async () => {
      expect(posts().length).toBeGreaterThan(15);
      const script = `await fetch(url, { method, mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'text/plain' }, body }).catch(() => {});
        return 'refused';`;
      for (const call of posts()) expectRefused(call, await attackedBy(script, call));
    },
    PATIENCE,
  );

  it(
    'change nothing by forms submitted into frames',
    async () => {
      const script = `
        const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { name: 'frame' }));
        const form = Object.assign(document.createElement('form'), { method, action: url, enctype: 'text/plain', target: 'frame' });
        const members = (body ?? '{}').slice(0, -1);
        const name = members + (members === '{' ? '' : ',') + '"x":"';
        form.append(Object.assign(document.createElement('input'), { name, value: '"}' }));
        document.body.append(form);
        const loaded = new Promise((resolve) => { frame.onload = resolve; });
        form.submit();
        await loaded;
        frame.remove();
        form.remove();
        return 'refused';`;
      for (const call of posts()) expectRefused(call, await attackedBy(script, call));
    },
    PATIENCE,
  );

  it(
    'are not allowed any other request: the browser sends a preflight without the session, and nothing else',
    async () => {
      const script = `return fetch(url, { method, credentials: 'include', headers: { 'content-type': 'application/json', '${CSRF_HEADER}': 'x' }, body })
        .then(() => 'answered', () => 'refused');`;
      for (const call of CHANGING.map(callOf)) {
        const came = await attackedBy(script, call);
        const told = came.map(({ method, headers }) => [method, headers.cookie]);
        expect([call.id, told]).toEqual([call.id, [['OPTIONS', undefined]]]);
      }
    },
    PATIENCE,
  );

  it('read nothing that the operator may read', async () => {
    for (const path of ['/console/session', '/api/v1/registry/merchants', '/api/v1/registry/signing-keys']) {
      const call = { id: path, method: 'GET', path };
      const script = `return fetch(url, { credentials: 'include' }).then((answer) => answer.text(), () => 'refused');`;
      // not only is the response unreadable for scripts: it contains nothing
      expectRefused(call, await attackedBy(script, call));
      expect(await ours(call)).toBe(200);
    }
  });

  it('and each of those calls is accepted from the console itself: the refusals were due to the origin', async () => {
    // deletions come after the calls that need the objects, and the end of the session last
    const rank = ({ id, method }: AttackedCall) => (id === 'endSession' ? 2 : Number(method === 'DELETE'));
    const calls = CHANGING.filter(({ id }) => id !== 'beginSession').map(callOf);
    const statuses: [string, number][] = [];
    for (const call of calls.toSorted((a, b) => rank(a) - rank(b)))
      statuses.push([call.id, Number(await ours(call))]);
    expect(statuses.filter(([, status]) => status === 401 || status === 403)).toEqual([]);
    // most of them succeed, since the objects exist
    expect(statuses.filter(([, status]) => status < 300).length).toBeGreaterThan(20);
  });
});
