import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Receipt, type ReceiptClaims, verifyReceipt } from '@touchstone/certificate/receipt';
import { TEST_ISSUER, TEST_NOW, type TestReceipts, testReceipts } from '@touchstone/certificate/testing';
import { compactVerify, createLocalJWKSet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/imports.ts';
import { NO_PYTHON, PYTHON, PYTHON_ENV, WHY_NO_PYTHON } from '../kit/python.ts';
import { type Random, seeded } from '../kit/random.ts';
import { receiptVectorFile } from '../kit/receipt-vectors.ts';
import type { Program } from '../scenarios/transports/program.ts';
import { startPython } from '../scenarios/transports/python.ts';

const RECEIPTS = 1_000;

interface Case {
  readonly given: Receipt;
  readonly request: unknown;
  readonly answer: unknown;
  readonly page: Uint8Array<ArrayBuffer>;
}

const TEXTS = ['Täßchen', '\u{1F375} tea', 'a"b\\c', '\u2028', '', '\u0007', 'é'];

/** Any value of JSON, with numbers and names that writers of canonical JSON get wrong. */
function anyValue(random: Random, depth = 0): unknown {
  const kind = random.integer(depth > 3 ? 4 : 6);
  if (kind === 0) return random.of([null, true, false]);
  if (kind === 1)
    return random.of([0, -0, 1e21, 1e-7, 123456789012345680000, 0.1 + 0.2, random.number() * 1e9]);
  if (kind < 4) return random.of(TEXTS);
  const size = random.integer(5);
  const values = Array.from({ length: size }, () => anyValue(random, depth + 1));
  if (kind === 4) return values;
  return Object.fromEntries(values.map((value, nth) => [`${random.of(TEXTS)}${nth}`, value]));
}

async function caseOf(random: Random, issuer: TestReceipts, other: TestReceipts): Promise<Case> {
  const query = random.of(['', '?v=1', '#!/a', '?ü=\u{1F375}']);
  const request = {
    url: `https://shop.example/${random.integer(99)}${query}`,
    freshness: random.of(['cached', 'fresh', null, undefined]),
    explain: random.of([true, false, undefined]),
  };
  const answer = { facts: anyValue(random), verdict: 'verified', findings: [random.of(TEXTS)] };
  const page = new TextEncoder().encode(JSON.stringify(anyValue(random)));
  const seen = {
    url: 'https://shop.example/',
    fetchedAt: TEST_NOW.toISOString(),
    sha256: hash('sha256', page, 'base64url'),
  };
  const changes: Partial<ReceiptClaims> = random.of([{}, { observed: 'fetched', page: seen }]);
  const by = random.integer(12) === 0 ? other : issuer;
  return { given: await by.receipt(request, answer, changes), request, answer, page };
}

/** Half of them with a change: of a byte of one part of the receipt, or of what it is about. */
function changed(one: Case, random: Random): Case {
  switch (random.integer(8)) {
    case 0:
      return { ...one, answer: { ...(one.answer as object), verdict: 'failed' } };
    case 1:
      return {
        ...one,
        request: { ...(one.request as object), explain: 'yes', url: 'https://shop.example/' },
      };
    case 2:
      return { ...one, page: new TextEncoder().encode('another') };
    case 3: {
      const parts = one.given.jws.split('.').map((part) => Buffer.from(part, 'base64url'));
      const part = random.of(parts);
      const at = random.integer(part.length);
      part[at] = (part[at] ?? 0) ^ (1 << random.integer(8));
      return { ...one, given: { jws: parts.map((bytes) => bytes.toString('base64url')).join('.') } };
    }
    default:
      return one;
  }
}

describe.skipIf(NO_PYTHON !== null)(`the Python package, about receipts${WHY_NO_PYTHON}`, () => {
  const folder = useFolder('python-receipts');
  let issuer: TestReceipts;
  let other: TestReceipts;
  let python: Program;
  beforeAll(async () => {
    [issuer, other] = await Promise.all([testReceipts(), testReceipts('receipts-2')]);
    python = startPython();
  });
  afterAll(() => python?.close());

  const ask = async (asked: object) => {
    const answer: unknown = await python.ask({ kind: 'receipt', ...asked });
    return answer as { readonly faults: readonly string[]; readonly claims: boolean };
  };
  const byPython = ({ given, request, answer, page }: Case) => {
    const asked = { given, request, answer, page: Buffer.from(page).toString('base64') };
    return ask({ ...asked, issuers: [TEST_ISSUER], jwks: issuer.jwks, now: TEST_NOW.getTime() / 1000 });
  };

  it('agrees with the vectors', async () => {
    const { vectors, issuers, jwks, now } = receiptVectorFile();
    for (const { id, expect: wanted, ...vector } of vectors) {
      const { faults, claims } = await ask({ issuers, jwks, now, ...vector });
      const found = { signed: claims, faults: faults.toSorted() };
      expect([id, found]).toEqual([id, { ...wanted, faults: wanted.faults.toSorted() }]);
    }
  });

  it(`finds the same faults as the SDK in ${RECEIPTS} receipts, and jose accepts the same signatures`, async () => {
    const random = seeded(30);
    const keys = createLocalJWKSet({ keys: [...issuer.jwks.keys] });
    const found = new Map<string, number>();
    for (let nth = 0; nth < RECEIPTS; nth += 1) {
      const one = changed(await caseOf(random, issuer, other), random);
      const trusting = { trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks, now: TEST_NOW };
      const { given, ...about } = one;
      const { faults, claims } = await verifyReceipt(given, { ...about, ...trusting });
      const codes = faults.map(({ code }) => code);
      const told = await byPython(one);
      expect([nth, told.faults]).toEqual([nth, codes]);
      expect(told.claims).toBe(claims !== undefined);
      const isSigned = await compactVerify(given.jws, keys, { algorithms: ['Ed25519'] }).then(
        () => true,
        () => false,
      );
      expect([nth, codes, isSigned]).toEqual([nth, codes, claims !== undefined]);
      for (const code of codes.length === 0 ? ['none'] : codes) found.set(code, (found.get(code) ?? 0) + 1);
    }
    // each kind of change was among them
    expect([...found.keys()].toSorted()).toEqual(
      expect.arrayContaining([
        'none',
        'receipt_answer_differs',
        'receipt_key_unknown',
        'receipt_malformed',
        'receipt_page_absent',
        'receipt_page_differs',
        'receipt_request_differs',
        'receipt_signature_invalid',
      ]),
    );
  });

  it('exits with 0 for a genuine receipt, 1 for another and 64 for wrong usage', async () => {
    const answer = { verdict: 'verified' };
    const receipt = await issuer.receipt({ url: 'https://shop.example/' }, answer);
    const files = {
      answer: { ...answer, receipt },
      other: { verdict: 'failed', receipt },
      jwks: issuer.jwks,
    };
    for (const [name, value] of Object.entries(files))
      await writeFile(join(folder, `${name}.json`), JSON.stringify(value));
    const run = (...args: string[]) =>
      promisify(execFile)(PYTHON, [join(ROOT, 'examples/verify_receipt.py'), ...args], {
        cwd: folder,
        env: PYTHON_ENV,
      }).then(
        () => 0,
        ({ code }: { code: number }) => code,
      );
    const trusting = ['--issuer', TEST_ISSUER, '--jwks', 'jwks.json'];
    expect(await run('answer.json', ...trusting)).toBe(0);
    expect(await run('other.json', ...trusting)).toBe(1);
    expect(await run('answer.json', '--issuer', 'https://other.example', '--jwks', 'jwks.json')).toBe(1);
    expect(await run('answer.json', '--issuer', TEST_ISSUER)).toBe(64);
    expect(await run('none.json', ...trusting)).toBe(64);
  });
});
