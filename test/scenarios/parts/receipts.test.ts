import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { logProofOf, parseLogProof } from '@touchstone/certificate/log';
import { type ReceiptFinding, receiptIn, verifyReceipt } from '@touchstone/certificate/receipt';
import { afterAll, describe, expect } from 'vitest';
import { runCli } from '../../../packages/cli/src/testing.ts';
import { useFolder } from '../../kit/folder.ts';
import { covers, scenario } from '../../kit/scenario.ts';
import { type Json, useScene } from '../../kit/service.ts';
import { productPage } from '../../kit/shop.ts';
import { openTimeStampAuthority } from '../../kit/time-stamp-authority.ts';
import { useToolClients } from '../../kit/tools.ts';
import { filesIn } from '../../kit/zip.ts';

const CHECK = '/api/v1/mc4p/page-checks';
const KEYS = '/api/v1/.well-known/receipt-jwks.json';
/** Fetches and receipts of one caller in a minute. */
const BUDGET = 100;

const authority = await openTimeStampAuthority();
afterAll(() => authority.close());
const scene = await useScene({
  TOUCHSTONE_PAGE_CACHE_SECONDS: '900',
  TOUCHSTONE_FETCH_PER_CALLER: String(BUDGET),
  TOUCHSTONE_TRUST_PROXY: '127.0.0.0/8',
  TOUCHSTONE_C2PA_TSA_URL: authority.url,
});
const store = await scene.store('shop.example');
const kettle = await store.product('kettle');
const document = await scene.certificate(kettle.id);
const html = productPage(document);
scene.shop.put(kettle.url, html);
const clients = await useToolClients(scene.service.url);
const folder = useFolder('receipts');

const keys = async () => (await scene.call('GET', KEYS)).json;
const HOUR = 3_600_000;

/** Verifies what a caller would have: the answer with its receipt, the request, and the published keys. */
async function verified(answer: Json, given: Json = {}): Promise<ReceiptFinding> {
  const trustedIssuers = [scene.baseUrl];
  const jwks = await keys();
  // the clock of the service may be ahead
  const now = new Date(Date.now() + 48 * HOUR);
  return verifyReceipt(answer, { trustedIssuers, jwks, now, answer, ...given });
}

async function asked(path: string, body: Json): Promise<Json> {
  const { status, json } = await scene.call('POST', path, body);
  expect(status).toBe(200);
  return json;
}

const sha256 = (text: string) => hash('sha256', text, 'base64url');
const verifyPath = `/api/v1/mc4p/products/${kettle.id}/verify`;

describe('a receipt of a page check', () => {
  scenario(
    'states what the service fetched, when, and the verdict, and shows no query',
    covers('RECEIPT-ASKED', 'RECEIPT-OBSERVED', 'RECEIPT-QUERY'),
    async () => {
      const request = { url: `${kettle.url}?utm_source=kim%40mail.example`, receipt: true };
      scene.shop.put(request.url, html);
      const answer = await asked(CHECK, request);
      const page = new TextEncoder().encode(html);
      const { valid, claims, compared } = await verified(answer, { request, page });
      expect([valid, compared]).toEqual([
        true,
        { request: true, query: true, answer: true, page: true, timestamp: true },
      ]);
      expect(claims).toMatchObject({
        v: 1,
        iss: scene.baseUrl,
        operation: 'checkPage',
        observed: 'fetched',
        verdict: 'verified',
        conclusion: (answer.conclusion as Json).code,
        productId: kettle.id,
        verifier: answer.verifier,
        page: {
          url: kettle.url,
          querySha256: sha256('?utm_source=kim%40mail.example'),
          fetchedAt: answer.fetched_at,
          sha256: sha256(html),
        },
      });
      expect(JSON.stringify(claims)).not.toMatch(/utm|kim/);
      // the report that is kept is the answer without its receipt
      const kept = (await scene.call('GET', `${CHECK}/${answer.id}`)).json;
      expect((await verified(answer, { answer: kept })).compared.answer).toBe(true);
      const { faults } = await verified(answer, { request: { ...request, url: `${kettle.url}?other` } });
      expect(faults.map(({ code }) => code)).toEqual(['receipt_query_differs']);
    },
  );

  scenario(
    'names the place of its certificate in the log, and none where a certificate has none',
    covers('RECEIPT-LOG'),
    async () => {
      const { logs } = (await scene.call('GET', '/api/v1/mc4p/log')).json as { logs: { origin: string }[] };
      const origins = logs.map(({ origin }) => origin);
      const jug = await store.product('jug');
      const certificate = await scene.certificate(jug.id);
      scene.shop.put(jug.url, productPage(certificate));
      const checkedAs = await verified(await asked(CHECK, { url: jug.url, receipt: true }));
      const body = { productUrl: jug.url, document: certificate, receipt: true };
      const verifiedAs = await verified(await asked(`/api/v1/mc4p/products/${jug.id}/verify`, body));
      const log = checkedAs.claims?.log;
      expect(verifiedAs.claims?.log).toEqual(log);
      expect(origins).toContain(log?.origin);
      const proof = parseLogProof(String(logProofOf(certificate)));
      expect(log?.index).toBe(proof === 'log_proof_malformed' ? undefined : proof.index);
      // whatever a document says of its place, the service looks it up
      const forged = { ...certificate, proof: { ...(certificate.proof as Json), jwt: 'a.b.c' } };
      const other = await asked(`/api/v1/mc4p/products/${jug.id}/verify`, { ...body, document: forged });
      expect((await verified(other)).claims).not.toHaveProperty('log');
    },
  );

  scenario(
    'of a cached answer states the time of the observation, which is earlier than its own',
    covers('RECEIPT-OBSERVED'),
    async () => {
      const url = `${kettle.url}?cached`;
      scene.shop.put(url, html);
      const { fetched_at: fetchedAt } = await asked(CHECK, { url });
      scene.travel(120);
      const { claims } = await verified(await asked(CHECK, { url, receipt: true }));
      expect(claims?.page).toMatchObject({ fetchedAt, sha256: sha256(html) });
      const age = (claims?.iat ?? 0) - Date.parse(String(fetchedAt)) / 1000;
      expect(age).toBeGreaterThan(110);
    },
  );

  scenario(
    'calls nothing observed where the service could read no page',
    covers('RECEIPT-OBSERVED'),
    async () => {
      const unread = await verified(await asked(CHECK, { url: 'http://unknown.example/', receipt: true }));
      expect(unread.claims).toMatchObject({ observed: 'submitted', verdict: 'page_fetch_failed' });
      expect(unread.claims).not.toHaveProperty('page');
      // an answer of the host is one, whatever its status
      const missing = await verified(await asked(CHECK, { url: 'http://shop.example/none', receipt: true }));
      expect(missing.claims).toMatchObject({ observed: 'fetched', verdict: 'page_fetch_failed' });
    },
  );
});

describe('a receipt of a verification', () => {
  const body = { productUrl: kettle.url, document, receipt: true };

  scenario(
    'says that the page was the word of the caller, and names request and answer',
    covers('RECEIPT-ASKED', 'RECEIPT-OBSERVED'),
    async () => {
      const answer = await asked(verifyPath, body);
      const { valid, claims, compared } = await verified(answer, { request: body });
      expect([valid, compared.request, compared.answer]).toEqual([true, true, true]);
      expect(claims).toMatchObject({ observed: 'submitted', verdict: 'verified', productId: kettle.id });
      expect(claims?.page).toBeUndefined();
      const other = { ...body, document: { ...document, url: 'http://copy.example/' } };
      const { faults } = await verified(answer, { request: other, answer: { ...answer, status: 'failed' } });
      expect(faults.map(({ code }) => code)).toEqual(['receipt_request_differs', 'receipt_answer_differs']);
    },
  );

  scenario('is not given to whoever asks for none', covers('RECEIPT-ASKED'), async () => {
    for (const receipt of [undefined, false, null])
      expect(await asked(verifyPath, { ...body, receipt })).not.toHaveProperty('receipt');
  });

  scenario(
    'is refused for a document without canonical form, with the reason',
    covers('RECEIPT-ASKED'),
    async () => {
      const refused = await scene.call('POST', verifyPath, { ...body, document: { name: '\ud800' } });
      expect([refused.status, refused.json.code]).toEqual([422, 'receipt_request_refused']);
    },
  );
});

scenario(
  'a receipt spends the budget of the caller, before anything is done for it',
  covers('RECEIPT-ASKED'),
  async () => {
    const as = (address: string) => ({ 'x-forwarded-for': address });
    const body = { productUrl: kettle.url, receipt: true };
    const call = (address: string) => scene.call('POST', verifyPath, body, as(address));
    // its programs would take longer than the budget to be refilled
    authority.answer('fails');
    const all = await Promise.all(Array.from({ length: 3 * BUDGET }, () => call('192.0.2.7')));
    authority.answer('stamps');
    const refused = all.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, json, headers } of refused)
      expect([status, json.code, Number(headers.get('retry-after')) > 0]).toEqual([
        429,
        'fetch_budget_spent',
        true,
      ]);
    expect((await call('198.51.100.7')).status).toBe(200);
    const { receipt: _, ...plain } = body;
    expect((await scene.call('POST', verifyPath, plain, as('192.0.2.7'))).status).toBe(200);
  },
);

describe('over every transport', () => {
  const check = { url: kettle.url, freshness: 'cached', receipt: true };
  const verification = { productId: kettle.id, productUrl: kettle.url, document, receipt: true };

  scenario('a batch has a receipt for each item that asks', covers('RECEIPT-ASKED'), async () => {
    const { receipt: _, ...plain } = verification;
    const batches = [
      ['/api/v1/mc4p/verify-batch', [verification, plain, verification]],
      [`${CHECK}/batch`, [check, { url: kettle.url }, check]],
    ] as const;
    for (const [path, items] of batches) {
      const { results } = (await asked(path, { items })) as { results: { result: Json }[] };
      const [first, without, last] = results.map(({ result }) => result);
      expect(without).not.toHaveProperty('receipt');
      for (const answer of [first, last]) {
        const { valid, compared } = await verified(answer as Json, { request: items[0] });
        expect([valid, compared.request, compared.answer]).toEqual([true, true, true]);
      }
    }
  });

  scenario('the tools answer with one', covers('RECEIPT-ASKED'), async () => {
    for (const { name, client } of clients) {
      for (const [tool, args] of [
        ['check_product_page', check],
        ['verify_svc_certificate', verification],
      ] as const) {
        const { structuredContent } = await client.callTool({ name: tool, arguments: { ...args } });
        const { valid, compared } = await verified(structuredContent as Json, { request: args });
        expect([name, valid, compared.request, compared.answer]).toEqual([name, true, true, true]);
      }
      // without a document, the tool has the page checked
      const { structuredContent } = await client.callTool({
        name: 'verify_svc_certificate',
        arguments: { productUrl: kettle.url, receipt: true },
      });
      const { claims } = await verified(structuredContent as Json);
      expect(claims).toMatchObject({ operation: 'checkPage', observed: 'fetched' });
    }
  });

  scenario(
    'the command line asks for one, writes it, and verifies it without the service',
    covers('RECEIPT-ASKED', 'RECEIPT-KEYS'),
    async () => {
      const [file, jwks, request] = ['receipt.json', 'jwks.json', 'request.json'].map((name) =>
        join(folder, name),
      ) as [string, string, string];
      const checked = await runCli(['check', kettle.url, '--service', scene.service.url, '--receipt', file]);
      expect(checked.code).toBe(0);
      await writeFile(jwks, JSON.stringify(await keys()));
      await writeFile(request, JSON.stringify({ url: kettle.url }));
      const offline = ['--issuer', scene.baseUrl, '--jwks', jwks, '--request', request, '--json'];
      const now = new Date(Date.now() + 48 * HOUR);
      const good = await runCli(['receipt', 'verify', file, ...offline], { now });
      expect([good.code, good.json().compared]).toMatchObject([0, { request: true, answer: true }]);
      const changed = (await readFile(file, 'utf8')).replace(
        '"verdict": "verified"',
        '"verdict": "unverified"',
      );
      await writeFile(file, changed);
      const bad = await runCli(['receipt', 'verify', file, ...offline], { now });
      expect([bad.code, (bad.json().faults as { code: string }[]).map(({ code }) => code)]).toEqual([
        1,
        ['receipt_answer_differs'],
      ]);
      const nobody = await runCli(['receipt', 'verify', file], { now });
      expect(nobody.code).toBe(3);
    },
  );
});

scenario('a receipt has a time stamp that openssl accepts', covers('RECEIPT-ASKED'), async () => {
  // it may have failed in the crowd before, after which it is not asked for a minute
  scene.travel(61);
  const answer = await asked(CHECK, { url: kettle.url, receipt: true });
  const { jws = '', timestamp = '' } = receiptIn(answer) ?? {};
  const [data, token, root] = ['data', 'token.der', 'root.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(data, jws);
  await writeFile(token, Buffer.from(timestamp, 'base64'));
  await writeFile(root, authority.rootPem);
  const args = ['ts', '-verify', '-data', data, '-in', token, '-token_in', '-CAfile', root];
  const { stdout } = await promisify(execFile)('openssl', args);
  expect(stdout).toContain('Verification: OK');
  expect((await verified(answer)).stampedAt).toMatch(/^\d{14}(\.\d+)?Z$/);
  const stampOfOther = receiptIn(await asked(verifyPath, { productUrl: kettle.url, receipt: true }));
  const swapped = { jws, timestamp: stampOfOther?.timestamp };
  const found = await verified({ ...answer, receipt: swapped });
  expect(found.faults.map(({ code }) => code)).toEqual(['receipt_timestamp_differs']);
});

scenario(
  'keys of receipts rotate, and former ones stay; a revoked one is unknown, like one of another service',
  covers('RECEIPT-KEYS'),
  async () => {
    const old = await asked(CHECK, { url: kettle.url, receipt: true });
    const kidsOf = async () => ((await keys()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    const before = await kidsOf();
    const listed = (await scene.operate('GET', '/signing-keys')) as {
      keys: { kid: string; purpose: string; state: string }[];
    };
    const active = listed.keys.find(({ purpose, state }) => purpose === 'receipts' && state === 'active');
    const kid = active?.kid ?? '';
    expect(before).toContain(kid);
    await scene.operate('POST', `/signing-keys/${kid}/revoke`);
    expect(await kidsOf()).not.toContain(kid);
    const refused = await verified(old);
    expect(refused.faults.map(({ code }) => code)).toEqual(['receipt_key_unknown']);
    expect(refused.claims).toBeUndefined();
    expect((await verified(await asked(CHECK, { url: kettle.url, receipt: true }))).valid).toBe(true);
  },
);

describe('evidence of a page', () => {
  const copy = 'http://copy.example/products/kettle';
  const picture = Buffer.from('no picture, but bytes');
  scene.shop.put('http://copy.example/copied.jpg', (_, response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture),
  );
  const page = `${html}<meta property="og:image" content="http://copy.example/copied.jpg">`;
  scene.shop.put(copy, (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'x-shop': 'copy', 'set-cookie': 'session=secret' })
      .end(page),
  );
  const keyOf = async (merchantId: string) =>
    String((await scene.operate('POST', `/merchants/${merchantId}/api-keys`)).key);
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  const EVIDENCE = '/api/v1/registry/evidence';
  const keep = (key: string, body: Json = {}) =>
    scene.call('POST', CHECK, { url: copy, evidence: true, ...body }, as(key));
  const listed = async (key: string) =>
    (await scene.call('GET', EVIDENCE, undefined, as(key))).json.evidence as Json[];

  scenario(
    'is one file with page, headers without cookies, hashes of pictures, receipt and the certificate of the original',
    covers('EVIDENCE-KEPT'),
    async () => {
      const key = await keyOf(store.merchantId);
      const { status, json: answer } = await keep(key);
      expect(status).toBe(200);
      const { id } = answer.evidence as { id: string };
      const file = join(folder, 'evidence.zip');
      const env = { TOUCHSTONE_KEY: key };
      const service = ['--service', scene.service.url];
      const saved = await runCli(['evidence', 'download', id, '--out', file, ...service], { env });
      expect(saved.code).toBe(0);
      const files = filesIn(await readFile(file));
      const read = (name: string) => files.get(name) ?? '';
      expect(read('page.html')).toBe(page);
      const { headers } = JSON.parse(read('headers.json'));
      expect(headers).toMatchObject({ 'x-shop': 'copy' });
      expect(JSON.stringify(headers)).not.toContain('secret');
      expect(JSON.parse(read('images.json')).images).toContainEqual({
        url: 'http://copy.example/copied.jpg',
        sha256: hash('sha256', picture),
      });
      expect(JSON.parse(read('certificate.json'))).toEqual(document);
      // what is in the file verifies without the service
      for (const [name, text] of files) await writeFile(join(folder, name), text);
      const at = (name: string) => join(folder, name);
      const about = ['--request', at('request.json'), '--page', at('page.html')];
      const given = [...about, '--issuer', scene.baseUrl, '--jwks', at('receipt-jwks.json'), '--json'];
      const now = new Date(Date.now() + 48 * HOUR);
      const { code, json } = await runCli(['receipt', 'verify', at('answer.json'), ...given], { now });
      expect([code, json().compared]).toMatchObject([0, { request: true, answer: true, page: true }]);
      expect((json().claims as Json).observed).toBe('fetched');
      // so does the answer that the caller got
      expect((await verified(answer, { request: { url: copy, evidence: true } })).valid).toBe(true);
    },
  );

  scenario(
    'is listed for its merchant alone, until it is deleted, or for 90 days',
    covers('EVIDENCE-KEPT', 'EVIDENCE-OWN'),
    async () => {
      const other = await scene.store('other.example');
      const [own, theirs] = [await keyOf(store.merchantId), await keyOf(other.merchantId)];
      const { id } = (await keep(own)).json.evidence as { id: string };
      const cli = (key: string, ...argv: string[]) =>
        runCli(['evidence', ...argv, '--service', scene.service.url], { env: { TOUCHSTONE_KEY: key } });
      const { code: shown, out } = await cli(own, 'list');
      expect([shown, out]).toEqual([0, expect.stringContaining(id)]);
      expect(await listed(theirs)).toEqual([]);
      for (const method of ['GET', 'DELETE'])
        expect((await scene.call(method, `${EVIDENCE}/${id}`, undefined, as(theirs))).status).toBe(404);
      expect((await cli(own, 'delete', id)).code).toBe(0);
      expect((await scene.call('GET', `${EVIDENCE}/${id}`, undefined, as(own))).json.code).toBe(
        'evidence_unknown',
      );
      scene.travel(90 * 24 * 3_600);
      expect(await listed(own)).toEqual([]);
      // nothing of it is readable in the database
      const rows = await scene.service.database.query('select about from evidence');
      expect(rows.length).toBeGreaterThan(0);
      for (const { about } of rows as { about: Buffer }[])
        expect(about.toString()).not.toContain('copy.example');
    },
  );

  scenario('takes the key of a merchant', covers('EVIDENCE-OWN'), async () => {
    const body = { url: copy, evidence: true };
    expect((await scene.call('POST', CHECK, body)).json.code).toBe('credentials_missing');
    const operator = as(String(scene.service.operatorKey));
    expect((await scene.call('POST', CHECK, body, operator)).json.code).toBe('forbidden');
  });
});
