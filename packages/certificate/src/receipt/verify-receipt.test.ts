import { beforeAll, describe, expect, it } from 'vitest';
import { decodeBase64url, encodeBase64url } from '../proof/base64url.ts';
import { TEST_ISSUER, TEST_NOW, type TestReceipts, testReceipts } from '../testing/issuer.ts';
import { pageHash } from '../testing/receipt.ts';
import type { Receipt } from './read-receipt.ts';
import { RECEIPT_FAULTS } from './receipt-faults.ts';
import { type VerifyReceiptOptions, verifyReceipt } from './verify-receipt.ts';

const REQUEST = { url: 'https://shop.example/cup?visitor=7', receipt: true };
const ANSWER = { verdict: 'verified', price: 12.5, name: 'Täßchen \u{1F375}', list: [1e21, -0, null] };
const PAGE = new TextEncoder().encode('<h1>Cup</h1>');
const PLACE = { url: 'https://shop.example/cup', fetchedAt: '2026-03-01T11:59:00.000Z' };

let issuer: TestReceipts;
let receipt: Receipt;
beforeAll(async () => {
  issuer = await testReceipts();
  const page = { ...PLACE, sha256: await pageHash(PAGE) };
  receipt = await issuer.receipt(REQUEST, ANSWER, { observed: 'fetched', page });
});

const codes = async (given: unknown, options: Partial<VerifyReceiptOptions> = {}): Promise<string[]> => {
  const base = { trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks, now: TEST_NOW };
  const { faults, valid, claims } = await verifyReceipt(given, { ...base, ...options });
  expect(valid).toBe(faults.length === 0);
  if (faults.some(({ code }) => code === 'receipt_signature_invalid')) expect(claims).toBeUndefined();
  return faults.map(({ code }) => code);
};

describe('a receipt', () => {
  it('verifies by itself, in its answer, and with all that it is about', async () => {
    const about = { request: REQUEST, answer: { ...ANSWER, receipt }, page: PAGE };
    for (const given of [receipt.jws, receipt, { ...ANSWER, receipt }])
      expect(await codes(given, about)).toEqual([]);
    expect(await codes(receipt, { request: { freshness: null, url: REQUEST.url } })).toEqual([]);
  });

  it('tells its request apart from the query of its address, which may be kept back', async () => {
    const asked = async (url: string, of = receipt) => {
      const trusting = { trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks, now: TEST_NOW };
      const { valid, compared } = await verifyReceipt(of, { ...trusting, request: { url } });
      return [valid, compared.request, compared.query];
    };
    expect(await asked(REQUEST.url)).toEqual([true, true, true]);
    expect(await asked('https://shop.example/cup')).toEqual([true, true, null]);
    expect(await asked('https://shop.example/cup?visitor=8')).toEqual([false, true, false]);
    expect(await asked('https://shop.example/cap?visitor=7')).toEqual([false, false, null]);
    const plain = await issuer.receipt({ url: 'https://shop.example/cup' }, ANSWER);
    expect(await asked('https://shop.example/cup', plain)).toEqual([true, true, true]);
    expect(await asked('https://shop.example/cup?id=2', plain)).toEqual([false, true, false]);
  });

  it('fails whichever of its bytes is changed, to whatever of base64url, a dot or another byte', async () => {
    const { jws } = receipt;
    const others = ['A', 'B', 'Q', '-', '_', '.', '=', ' ', '\n', '\u0000', 'é'];
    let tried = 0;
    for (let at = 0; at < jws.length; at += 1) {
      // the neighbour in the alphabet, of which only the lowest bits differ, always among them
      for (const other of [neighbour(jws[at] ?? ''), others[at % others.length] ?? '', '']) {
        if (other === jws[at]) continue;
        const changed = jws.slice(0, at) + other + jws.slice(at + 1);
        expect([at, other, (await codes(changed)).length]).toEqual([at, other, 1]);
        tried += 1;
      }
      expect((await codes(`${jws.slice(0, at)}A${jws.slice(at)}`)).length).toBe(1);
    }
    expect(tried).toBeGreaterThan(2 * jws.length);
  });

  it('fails whichever bit of its signature is changed', async () => {
    const at = receipt.jws.lastIndexOf('.') + 1;
    const signature = decodeBase64url(receipt.jws.slice(at)) ?? new Uint8Array();
    expect(signature.length).toBe(64);
    for (let bit = 0; bit < 512; bit += 1) {
      const changed = Uint8Array.from(signature);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const jws = receipt.jws.slice(0, at) + encodeBase64url(changed);
      expect([bit, await codes(jws)]).toEqual([bit, ['receipt_signature_invalid']]);
    }
  });

  it('tells each difference from what it was given with, by its own code', async () => {
    const given = {
      request: { url: REQUEST.url, freshness: 'fresh' },
      answer: { ...ANSWER, price: 12.51 },
      page: new TextEncoder().encode('<h1>Cap</h1>'),
    };
    const all = ['receipt_request_differs', 'receipt_answer_differs', 'receipt_page_differs'];
    expect(await codes(receipt, given)).toEqual(all);
    expect(await codes(receipt, { request: { url: 'https://shop.example/cup?visitor=8' } })).toEqual([
      'receipt_query_differs',
    ]);
    expect(await codes(receipt, { request: 7, answer: { name: '\ud800' } })).toEqual([
      'receipt_request_unreadable',
      'receipt_answer_unreadable',
    ]);
    const unseen = await issuer.receipt(REQUEST, ANSWER);
    expect(await codes(unseen, { page: PAGE })).toEqual(['receipt_page_absent']);
    expect(await codes(receipt, { now: new Date(TEST_NOW.getTime() - 61_000) })).toEqual([
      'receipt_from_future',
    ]);
    expect(await codes({ ...receipt, timestamp: 'AAAA' })).toEqual(['receipt_timestamp_malformed']);
  });

  it('beside which lies a time stamp states its time only in the form of one', async () => {
    const der = (tag: number, ...parts: Uint8Array[]) => {
      const content = Buffer.concat(parts);
      return Buffer.concat([Uint8Array.of(tag, 0x82, content.length >> 8, content.length), content]);
    };
    const [NULL, SHA_256] = [der(5), Buffer.from('0609608648016503040201', 'hex')];
    const imprint = new Uint8Array(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(receipt.jws)),
    );
    const stamped = (time: string) => {
      const algorithm = der(0x30, der(0x30, SHA_256), der(4, imprint));
      const info = der(0x30, NULL, NULL, algorithm, NULL, der(0x18, Buffer.from(time)));
      const signed = der(0x30, NULL, NULL, der(0x30, NULL, der(0xa0, der(4, info))));
      return { ...receipt, timestamp: der(0x30, NULL, der(0xa0, signed)).toString('base64') };
    };
    const options = { trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks, now: TEST_NOW };
    expect((await verifyReceipt(stamped('20260301120000.5Z'), options)).stampedAt).toBe('20260301120000.5Z');
    for (const time of [
      '',
      '20260301120000',
      '\u001b[2J20260301120000Z',
      '20260301120000Z, says the authority',
    ])
      expect(await codes(stamped(time))).toEqual(['receipt_timestamp_malformed']);
  });

  it('of another or a removed key is by an unknown key, even under the same name', async () => {
    const other = await testReceipts('receipts-2');
    const forged = await other.receipt(REQUEST, ANSWER);
    expect(await codes(forged)).toEqual(['receipt_key_unknown']);
    expect(await codes(receipt, { jwks: { keys: [] } })).toEqual(['receipt_key_unknown']);
    const both = { keys: [...issuer.jwks.keys, ...issuer.jwks.keys] };
    expect(await codes(receipt, { jwks: both })).toEqual(['receipt_key_unknown']);
    const renamed = await (await testReceipts()).receipt(REQUEST, ANSWER);
    expect(await codes(renamed)).toEqual(['receipt_signature_invalid']);
  });

  it('counts for a trusted issuer only, whose keys alone are requested', async () => {
    const asked: string[] = [];
    const fetch = async (url: unknown) => {
      asked.push(String(url));
      return Response.json(issuer.jwks);
    };
    const trusting = { jwks: undefined, fetch };
    const stranger = await issuer.receipt(REQUEST, ANSWER, { iss: 'https://other.example' });
    expect(await codes(stranger, trusting)).toEqual(['receipt_issuer_untrusted']);
    expect(asked).toEqual([]);
    expect(await codes(receipt, trusting)).toEqual([]);
    expect(asked).toEqual([`${TEST_ISSUER}/api/v1/.well-known/receipt-jwks.json`]);
    const nobody = verifyReceipt(receipt, { trustedIssuers: [], now: TEST_NOW });
    await expect(nobody).rejects.toMatchObject({ code: 'no_trusted_issuer' });
    const away = { ...trusting, fetch: async () => new Response('', { status: 503 }) };
    await expect(codes(receipt, away)).rejects.toMatchObject({ code: 'keys_unavailable' });
  });

  const made = async (header: object, claims: object) => {
    const input = [header, claims].map((one) =>
      encodeBase64url(new TextEncoder().encode(JSON.stringify(one))),
    );
    const signed = new TextEncoder().encode(input.join('.'));
    return `${input.join('.')}.${encodeBase64url(await issuer.signer.sign(signed))}`;
  };

  it('is refused if it is of another type, algorithm, version or form, though its signature is valid', async () => {
    const header = { alg: 'Ed25519', kid: 'receipts-1', typ: 'touchstone-receipt+jwt' };
    const claims = JSON.parse(
      new TextDecoder().decode(decodeBase64url(receipt.jws.split('.')[1] ?? '') ?? undefined),
    );
    const cases: [object, object, string][] = [
      [{ ...header, typ: 'JWT' }, claims, 'receipt_type_wrong'],
      [{ ...header, alg: 'EdDSA' }, claims, 'receipt_algorithm_not_allowed'],
      [{ ...header, alg: 'none' }, claims, 'receipt_algorithm_not_allowed'],
      [{ ...header, jku: 'https://other.example/' }, claims, 'receipt_header_not_allowed'],
      [{ ...header, kid: 7 }, claims, 'receipt_malformed'],
      [header, { ...claims, v: 2 }, 'receipt_version_unknown'],
      ...[
        'iat',
        'operation',
        'observed',
        'request',
        'answer',
        'page',
        'verdict',
        'conclusion',
        'verifier',
      ].map((name): [object, object, string] => [
        header,
        { ...claims, [name]: undefined },
        'receipt_claims_malformed',
      ]),
      [header, { ...claims, observed: 'submitted' }, 'receipt_claims_malformed'],
      [header, { ...claims, log: { origin: 'log.example/2026', index: -1 } }, 'receipt_claims_malformed'],
    ];
    for (const [head, payload, code] of cases) expect(await codes(await made(head, payload))).toEqual([code]);
    const logged = { ...claims, log: { origin: 'log.example/2026', index: 7 }, later: true };
    expect(await codes(await made(header, logged))).toEqual([]);
    for (const given of [
      undefined,
      null,
      7,
      [],
      {},
      { jws: 7 },
      { jws: receipt.jws, timestamp: 7 },
      '',
      'a.b.c',
    ])
      expect(await codes(given)).toEqual(['receipt_malformed']);
    expect(await codes('a'.repeat(8_193))).toEqual(['receipt_too_large']);
  });

  it('has a sentence for each fault', () => {
    for (const sentence of Object.values(RECEIPT_FAULTS)) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});

/** The digit whose value differs in the lowest bit. */
function neighbour(digit: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return digits[digits.indexOf(digit) ^ 1] ?? 'A';
}
