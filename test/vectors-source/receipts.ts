import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { ReceiptVector, ReceiptVectorFile } from '../kit/receipt-vectors.ts';
import { base64, base64url, sha256 } from './log-notes.ts';
import { type Claims, compact, encoded, ISSUER, NOW, PRODUCT_ID } from './tokens.ts';

// written from docs/format.md, section 10, without the functions that the vectors test

const OTHER_ISSUER = 'https://other.example';
const PAGE = '<h1>Kettle</h1>';
const REQUEST = { url: 'https://shop.example/kettle?visitor=7', freshness: 'fresh', explain: true };
const ANSWER = { verdict: 'verified', name: 'Täßchen \u{1F375}', price: 12.5, list: [1e21, -0, null] };

const hashed = (text: string) => base64url(sha256(Buffer.from(text)));

/** Canonical JSON (RFC 8785): what JavaScript writes, with names in the order of their UTF-16 code units. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name as never])}`).join(',')}}`;
}

const CHECK = {
  sha256: hashed('{"explain":true,"freshness":"fresh","url":"https://shop.example/kettle"}'),
  querySha256: hashed('?visitor=7'),
};
const SEEN = {
  url: 'https://shop.example/kettle',
  querySha256: hashed('?visitor=7'),
  fetchedAt: '2026-03-04T11:59:58.120Z',
  sha256: hashed(PAGE),
};
const CLAIMS: Claims = {
  v: 1,
  iss: ISSUER,
  iat: NOW - 60,
  operation: 'checkPage',
  observed: 'fetched',
  request: CHECK,
  answer: { sha256: hashed(canonical(ANSWER)) },
  page: SEEN,
  verdict: 'verified',
  conclusion: 'issued_to_proven_host',
  productId: PRODUCT_ID,
  verifier: 'example-verifier/1',
  commit: '5a010e36',
  log: { origin: 'certificates.example/api/v1/mc4p/log/2026', index: 7 },
};
const HEADER: Claims = { alg: 'Ed25519', kid: 'receipts-1', typ: 'touchstone-receipt+jwt' };
const VERIFICATION = {
  productId: PRODUCT_ID,
  productUrl: 'https://shop.example/kettle',
  document: { proof: { jwt: 'a.b.c' } },
};
const LETTER =
  '{"document":{"proof":{"jwt":"a.b.c"}},"productId":"09fa6079-90af-4a0f-9af0-e09fc1f90ae7","productUrl":"https://shop.example/kettle"}';

interface ReceiptKey {
  readonly jwk: Readonly<Record<string, string>>;
  readonly privateKey: KeyObject;
}

function receiptKeyOf(kid: string): ReceiptKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const x = publicKey.export({ format: 'jwk' }).x as string;
  return { jwk: { kty: 'OKP', crv: 'Ed25519', kid, use: 'sig', alg: 'Ed25519', x }, privateKey };
}

/** Without the member if it is undefined. */
const without = (claims: Claims, name: string) => ({ ...claims, [name]: undefined });

/** The vectors of receipts: a set of its own, for any reader of docs/format.md, section 10. */
export function receiptVectors(): Omit<ReceiptVectorFile, 'vectors'> & { readonly vectors: ReceiptVector[] } {
  const key = receiptKeyOf('receipts-1');
  const other = receiptKeyOf('receipts-1');
  const by =
    ({ privateKey }: ReceiptKey) =>
    (data: Buffer) =>
      sign(null, data, privateKey);
  const jws = (changes: Claims = {}, head: Claims = {}, signedBy = key) =>
    compact({ ...HEADER, ...head }, { ...CLAIMS, ...changes }, by(signedBy));
  const plain = jws();
  const [head = '', payload = '', signature = ''] = plain.split('.');
  const about = { request: REQUEST, answer: ANSWER, page: base64(Buffer.from(PAGE)) };
  const submitted = { observed: 'submitted', page: undefined };

  const of = (
    id: string,
    title: string,
    given: unknown,
    expect: ReceiptVector['expect'],
    changes: Partial<ReceiptVector> = {},
  ): ReceiptVector => ({ id, title, given, ...changes, expect });
  const good = (id: string, title: string, given: unknown, changes: Partial<ReceiptVector> = {}) =>
    of(id, title, given, { signed: true, faults: [] }, changes);
  const refused = (
    id: string,
    title: string,
    given: unknown,
    fault: string,
    changes?: Partial<ReceiptVector>,
  ) => of(id, title, given, { signed: false, faults: [fault] }, changes);
  const differs = (
    id: string,
    title: string,
    faults: string[],
    changes: Partial<ReceiptVector>,
    given: unknown = plain,
  ) => of(id, title, given, { signed: true, faults }, { ...about, ...changes });
  const malformed = (id: string, title: string, given: unknown) =>
    refused(id, title, given, 'receipt_malformed', about);
  const incomplete = (id: string, title: string, claims: Claims) =>
    refused(`claim-${id}`, title, jws(claims), 'receipt_claims_malformed');
  const keyed = (id: string, title: string, ...keys: readonly object[]) =>
    refused(`key-${id}`, title, plain, 'receipt_key_unknown', { jwks: { keys } });

  return {
    name: 'receipts',
    about:
      'Receipts (docs/format.md, section 10): by themselves, and compared with a request, an answer and a page.',
    issuers: [ISSUER],
    jwks: { keys: [receiptKeyOf('receipts-0').jwk, key.jwk] },
    now: NOW,
    vectors: [
      ...genuine(),
      ...forms(),
      ...headers(),
      ...keysOfIssuers(),
      ...altered(),
      ...stated(),
      ...compared(),
    ],
  };

  function genuine(): ReceiptVector[] {
    const verification = jws({
      ...submitted,
      operation: 'verifyProductCertificate',
      request: { sha256: hashed(LETTER) },
    });
    const check = (text: string) => jws({ request: { sha256: hashed(text) } });
    return [
      good('fetched', 'A page check of a page that the service fetched', plain, about),
      good('alone', 'The same, compared with nothing', plain),
      good('receipt', 'As the member `receipt` of the answer', { jws: plain }, about),
      good('within-answer', 'As the whole answer', { ...ANSWER, receipt: { jws: plain } }, about),
      good('submitted', 'A page check of what the caller submitted', jws(submitted), {
        request: REQUEST,
        answer: ANSWER,
      }),
      good('verification', 'A verification', verification, { request: VERIFICATION, answer: ANSWER }),
      good('verification-address', 'A verification whose product is in the address alone', verification, {
        request: { ...VERIFICATION, productId: undefined },
      }),
      good('verification-case', 'A verification whose product is in upper case', verification, {
        request: { ...VERIFICATION, productId: PRODUCT_ID.toUpperCase() },
      }),
      good(
        'optional-absent',
        'Without what may be absent',
        jws({ productId: undefined, commit: undefined, log: undefined }),
      ),
      good('more-members', 'With members that nobody knows', jws({ more: { than: 1 } })),
      good('skew', 'Signed a minute from now', jws({ iat: NOW + 60 })),
      good('query-left-out', 'The request, shown without its query', plain, {
        request: { ...REQUEST, url: SEEN.url },
      }),
      good(
        'request-defaults',
        'A request without what has a default',
        check('{"freshness":"cached","url":"https://shop.example/kettle"}'),
        { request: { url: SEEN.url, freshness: null, explain: false, receipt: true } },
      ),
      good(
        'request-evidence',
        'A request that keeps evidence, for which every page is fetched anew',
        check('{"evidence":true,"freshness":"fresh","url":"https://shop.example/kettle"}'),
        { request: { url: SEEN.url, freshness: 'cached', evidence: true } },
      ),
      good(
        'fragment',
        'An address with a fragment',
        jws({ request: { ...CHECK, querySha256: hashed('#a?b') } }),
        { request: { ...REQUEST, url: `${SEEN.url}#a?b` } },
      ),
      good('answer-added', 'An answer with what is added to it', plain, {
        answer: { ...ANSWER, receipt: { jws: plain }, evidence: { id: 'e' }, untrusted: ['name'] },
      }),
      good('answer-order', 'An answer with its members in another order', plain, {
        answer: Object.fromEntries(Object.entries(ANSWER).toReversed()),
      }),
    ];
  }

  function forms(): ReceiptVector[] {
    const padded = Buffer.from(signature, 'base64url').toString('base64');
    const twice = `${encoded(JSON.stringify(CLAIMS).replace('"v":1', '"v":1,"v":1'))}`;
    return [
      malformed('number', 'A number', 7),
      malformed('empty', 'Nothing', ''),
      malformed('no-jws', 'An answer without a receipt', ANSWER),
      malformed('two-parts', 'Two parts', `${head}.${payload}`),
      malformed('four-parts', 'Four parts', `${plain}.${signature}`),
      malformed('padding', 'A signature with padding', `${head}.${payload}.${padded}`),
      malformed('space', 'A space at the end', `${plain} `),
      malformed(
        'signature-short',
        'A signature of 63 bytes',
        `${head}.${payload}.${encoded(Buffer.alloc(63))}`,
      ),
      malformed('signature-empty', 'No signature', `${head}.${payload}.`),
      malformed('header-no-json', 'A header that is no JSON', `${encoded('{')}.${payload}.${signature}`),
      malformed('payload-array', 'Claims that are no object', compact(HEADER, [CLAIMS], by(key))),
      malformed(
        'member-twice',
        'Claims with a member twice',
        `${head}.${twice}.${sign(null, Buffer.from(`${head}.${twice}`), key.privateKey).toString('base64url')}`,
      ),
      refused('large', 'More than 8,192 characters', jws({ more: 'x'.repeat(6_200) }), 'receipt_too_large'),
    ];
  }

  function headers(): ReceiptVector[] {
    const typed = (id: string, typ: unknown) =>
      refused(`typ-${id}`, `Another type: ${String(typ)}`, jws({}, { typ }), 'receipt_type_wrong', about);
    const alg = (id: string, name: unknown) =>
      refused(
        `alg-${id}`,
        `Another algorithm: ${String(name)}`,
        jws({}, { alg: name }),
        'receipt_algorithm_not_allowed',
        about,
      );
    const more = (name: string, value: unknown) =>
      refused(
        `header-${name}`,
        `A header with ${name}`,
        jws({}, { [name]: value }),
        'receipt_header_not_allowed',
        about,
      );
    return [
      typed('jwt', 'JWT'),
      typed('certificate', 'product-certificate+jwt'),
      typed('status-list', 'statuslist+jwt'),
      typed('case', 'Touchstone-Receipt+JWT'),
      typed('media-type', 'application/touchstone-receipt+jwt'),
      typed('absent', undefined),
      alg('eddsa', 'EdDSA'),
      alg('none', 'none'),
      alg('rs256', 'RS256'),
      alg('absent', undefined),
      more('crit', ['exp']),
      more('jwk', key.jwk),
      more('jku', `${ISSUER}/keys`),
      malformed('kid-absent', 'A header without kid', jws({}, { kid: undefined })),
      malformed('kid-empty', 'A header with an empty kid', jws({}, { kid: '' })),
      malformed('kid-number', 'A header with a number as kid', jws({}, { kid: 1 })),
    ];
  }

  function keysOfIssuers(): ReceiptVector[] {
    const { x } = key.jwk;
    const elsewhere = jws({ iss: OTHER_ISSUER });
    return [
      refused('other-key', 'Signed with another key', jws({}, {}, other), 'receipt_signature_invalid', about),
      refused(
        'kid-unknown',
        'A key that the issuer does not publish',
        jws({}, { kid: 'receipts-9' }),
        'receipt_key_unknown',
      ),
      refused(
        'kid-of-another',
        'Under the name of another key of the issuer',
        jws({}, { kid: 'receipts-0' }),
        'receipt_signature_invalid',
      ),
      keyed('none', 'A set without keys'),
      keyed('twice', 'A set with two keys of the name', key.jwk, other.jwk),
      keyed('encryption', 'A key for encryption', { ...key.jwk, use: 'enc' }),
      keyed('algorithm', 'A key for another algorithm', { ...key.jwk, alg: 'EdDSA' }),
      keyed('curve', 'A key on another curve', { ...key.jwk, crv: 'X25519' }),
      keyed('type', 'A key of another type', { ...key.jwk, kty: 'EC' }),
      keyed('short', 'A key that is cut off', { ...key.jwk, x: x?.slice(0, -4) }),
      good('key-plain', 'A key without use and alg', plain, {
        jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'receipts-1', x }] },
      }),
      refused('issuer-other', 'Of another issuer', elsewhere, 'receipt_issuer_untrusted'),
      refused(
        'issuer-slash',
        'Of the issuer with a slash',
        jws({ iss: `${ISSUER}/` }),
        'receipt_issuer_untrusted',
      ),
      refused('issuer-absent', 'Of no issuer', jws({ iss: undefined }), 'receipt_issuer_untrusted'),
      refused(
        'issuer-not-trusted',
        'Of an issuer that is not trusted here',
        plain,
        'receipt_issuer_untrusted',
        { issuers: [OTHER_ISSUER] },
      ),
      good('issuers-two', 'Of one of two trusted issuers with the same keys', elsewhere, {
        issuers: [ISSUER, OTHER_ISSUER],
      }),
    ];
  }

  /** Each member changed under the signature that was, and the signature itself. */
  function altered(): ReceiptVector[] {
    const as = (claims: Claims) => `${head}.${encoded(claims)}.${signature}`;
    const CHANGES: Claims = {
      v: 2,
      iat: NOW,
      operation: 'verifyProductCertificate',
      observed: 'submitted',
      request: { ...CHECK, sha256: hashed('another') },
      answer: { sha256: hashed('another') },
      page: { ...SEEN, sha256: hashed('another') },
      verdict: 'failed',
      conclusion: 'copied',
      productId: '16fd2706-8baf-433b-82eb-8c7fada847da',
      verifier: 'touchstone/0.2.0',
      commit: '5a010e37',
      log: { origin: 'certificates.example/api/v1/mc4p/log/2026', index: 8 },
    };
    const bytes = Buffer.from(signature, 'base64url');
    const flipped = Buffer.from(bytes);
    flipped[63] = (flipped[63] ?? 0) ^ 1;
    const invalid = (id: string, title: string, given: string) =>
      refused(`altered-${id}`, title, given, 'receipt_signature_invalid', about);
    return [
      ...Object.entries(CHANGES).map(([name, value]) =>
        invalid(name, `Another ${name} than was signed`, as({ ...CLAIMS, [name]: value })),
      ),
      refused(
        'altered-iss',
        'Another iss than was signed',
        as({ ...CLAIMS, iss: OTHER_ISSUER }),
        'receipt_signature_invalid',
        { issuers: [ISSUER, OTHER_ISSUER] },
      ),
      ...Object.keys(CLAIMS)
        .filter((name) => name !== 'iss')
        .map((name) =>
          invalid(`${name}-absent`, `Without the ${name} that was signed`, as(without(CLAIMS, name))),
        ),
      invalid(
        'query',
        'Without the query’s hash that was signed',
        as({ ...CLAIMS, request: { sha256: CHECK.sha256 } }),
      ),
      invalid(
        'spaces',
        'The same claims, written otherwise',
        `${head}.${encoded(JSON.stringify(CLAIMS, null, 1))}.${signature}`,
      ),
      invalid(
        'header',
        'Another order of the header',
        `${encoded({ typ: HEADER.typ, alg: HEADER.alg, kid: HEADER.kid })}.${payload}.${signature}`,
      ),
      invalid('signature', 'Another signature', `${head}.${payload}.${flipped.toString('base64url')}`),
      invalid('signature-zero', 'A signature of zeros', `${head}.${payload}.${encoded(Buffer.alloc(64))}`),
      invalid(
        'signature-plus-order',
        'The signature in its other form, which RFC 8032 refuses',
        `${head}.${payload}.${encoded(plusOrder(bytes))}`,
      ),
    ];
  }

  /** Signed by the issuer, and not what every receipt states. */
  function stated(): ReceiptVector[] {
    const version = (id: string, v: unknown) =>
      refused(
        `version-${id}`,
        `Of version ${JSON.stringify(v) ?? 'none'}`,
        jws({ v }),
        'receipt_version_unknown',
      );
    const required = [
      'iat',
      'operation',
      'observed',
      'request',
      'answer',
      'page',
      'verdict',
      'conclusion',
      'verifier',
    ];
    const optional = ['productId', 'commit', 'log'];
    const ofPage = Object.keys(SEEN).filter((name) => name !== 'querySha256');
    const short = hashed('').slice(0, -1);
    return [
      version('next', 2),
      version('text', '1'),
      version('absent', undefined),
      ...required.map((name) => incomplete(`${name}-absent`, `Without ${name}`, { [name]: undefined })),
      ...[...required, ...optional].map((name) =>
        incomplete(`${name}-null`, `With null as ${name}`, { [name]: null }),
      ),
      ...['verdict', 'conclusion', 'verifier', 'productId', 'commit'].map((name) =>
        incomplete(`${name}-empty`, `With an empty ${name}`, { [name]: '' }),
      ),
      ...ofPage.map((name) =>
        incomplete(`page-${name}-absent`, `With a page without ${name}`, {
          page: { ...SEEN, [name]: undefined },
        }),
      ),
      incomplete('submitted-page', 'Submitted, and yet with a page', { observed: 'submitted' }),
      incomplete('fetched-no-page', 'Fetched, and yet without a page', { page: undefined }),
      incomplete('observed-other', 'Neither fetched nor submitted', { observed: 'seen' }),
      incomplete('operation-other', 'Of another operation', { operation: 'getProduct' }),
      incomplete('request-hash-short', 'With a request’s hash that is cut off', {
        request: { ...CHECK, sha256: short },
      }),
      incomplete('query-hash-short', 'With a query’s hash that is cut off', {
        request: { ...CHECK, querySha256: short },
      }),
      incomplete('query-hash-null', 'With null as a query’s hash', {
        request: { ...CHECK, querySha256: null },
      }),
      incomplete('answer-hash-padded', 'With an answer’s hash with padding', {
        answer: { sha256: `${hashed('')}=` },
      }),
      incomplete('iat-fraction', 'With a time with a fraction', { iat: NOW - 0.5 }),
      incomplete('iat-negative', 'With a time below 0', { iat: -1 }),
      incomplete('iat-text', 'With a time as text', { iat: String(NOW) }),
      incomplete('log-index-absent', 'With a place without an index', { log: { origin: 'a' } }),
      incomplete('log-index-negative', 'With an index below 0', { log: { origin: 'a', index: -1 } }),
      incomplete('log-origin-empty', 'With a place without a log', { log: { origin: '', index: 1 } }),
      of('future', 'Signed more than a minute from now', jws({ iat: NOW + 61 }), {
        signed: true,
        faults: ['receipt_from_future'],
      }),
    ];
  }

  /** Genuine, and about something else. */
  function compared(): ReceiptVector[] {
    const request = (id: string, title: string, changes: object) =>
      differs(`request-${id}`, title, ['receipt_request_differs'], { request: { ...REQUEST, ...changes } });
    const verification = jws({
      ...submitted,
      operation: 'verifyProductCertificate',
      request: { sha256: hashed(LETTER) },
    });
    const verified = (id: string, title: string, changes: object) =>
      of(
        `verification-${id}`,
        title,
        verification,
        { signed: true, faults: ['receipt_request_differs'] },
        { request: { ...VERIFICATION, ...changes }, answer: ANSWER },
      );
    const answer = (id: string, title: string, changes: object) =>
      differs(`answer-${id}`, title, ['receipt_answer_differs'], { answer: { ...ANSWER, ...changes } });
    const query = (id: string, title: string, url: string, given = plain) =>
      differs(`query-${id}`, title, ['receipt_query_differs'], { request: { ...REQUEST, url } }, given);
    const unreadable = (id: string, title: string, asked: unknown) =>
      differs(`request-${id}`, title, ['receipt_request_unreadable'], { request: asked });
    return [
      request('url', 'Of another page', { url: 'https://shop.example/cup?visitor=7' }),
      request('freshness', 'Of another freshness', { freshness: 'cached' }),
      request('explain', 'Without an explanation', { explain: false }),
      request('images', 'With images', { images: 'all' }),
      request('evidence', 'With evidence', { evidence: true }),
      request('original', 'With an original', { original: PRODUCT_ID }),
      query('another', 'Of another query', `${SEEN.url}?visitor=8`),
      query('fragment', 'Of a fragment in its place', `${SEEN.url}#visitor=7`),
      query('longer', 'Of the query with a fragment', `${SEEN.url}?visitor=7#a`),
      query(
        'none',
        'Of an address with a query, of which the receipt states none',
        REQUEST.url,
        jws({ request: { sha256: CHECK.sha256 } }),
      ),
      unreadable('no-address', 'A request without an address', { freshness: 'fresh' }),
      unreadable('address-number', 'A request with a number as its address', { url: 7 }),
      unreadable('other-operation', 'A request of the other operation', VERIFICATION),
      verified('url', 'A verification of another page', { productUrl: 'https://shop.example/cup' }),
      verified('product', 'A verification of another product', {
        productId: '16fd2706-8baf-433b-82eb-8c7fada847da',
      }),
      verified('document', 'A verification of another document', { document: { proof: { jwt: 'a.b.d' } } }),
      verified('no-document', 'A verification without its document', { document: null }),
      answer('verdict', 'With another verdict', { verdict: 'failed' }),
      answer('number', 'With another number', { price: 12.51 }),
      answer('member', 'With a member more', { more: null }),
      answer('letters', 'With the same letters, composed otherwise', { name: ANSWER.name.normalize('NFD') }),
      answer('list', 'With a list in another order', { list: ANSWER.list.toReversed() }),
      differs('answer-array', 'With an answer that is no object', ['receipt_answer_unreadable'], {
        answer: [ANSWER],
      }),
      differs('page-other', 'With other bytes of the page', ['receipt_page_differs'], {
        page: base64(Buffer.from(`${PAGE}\n`)),
      }),
      differs(
        'page-submitted',
        'With bytes of a page that the service never fetched',
        ['receipt_page_absent'],
        {},
        jws(submitted),
      ),
      differs(
        'all',
        'With another request, answer and page, from the future',
        ['receipt_from_future', 'receipt_request_differs', 'receipt_answer_differs', 'receipt_page_differs'],
        { request: { url: SEEN.url }, answer: {}, page: '' },
        jws({ iat: NOW + 100 }),
      ),
    ];
  }
}

/** The signature with the order of the group added to its second half: the same equation holds, and RFC 8032 (5.1.7) refuses it. */
function plusOrder(signature: Buffer): Buffer {
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
  const half = Buffer.from(signature.subarray(32).toReversed()).toString('hex');
  const sum = (BigInt(`0x${half}`) + ORDER).toString(16).padStart(64, '0');
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(sum, 'hex').toReversed()]);
}
