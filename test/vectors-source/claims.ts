import { noClaims, type ProofCase, proofVector } from './builder.ts';
import type { Keys, VectorKey } from './keys.ts';
import { issuerKeySet, type Theme } from './theme.ts';
import { compact, DAY, header, ISSUED_AT, NOW, productClaims, proof, rs256, WEEK } from './tokens.ts';

/** Claims that are missing, of the wrong type or out of their time, and payloads that are no claims at all. */
export function claims(keys: Keys): Theme {
  const { issuer } = keys;
  const cases = [
    ...missing(issuer),
    ...wrongType(issuer),
    ...control(issuer),
    ...lifetime(issuer),
    ...edges(issuer),
    ...payloads(issuer),
  ];
  return {
    name: 'claims',
    about: 'Claims missing, of the wrong type, at each edge of time, and payloads that are no claims at all.',
    jwks: { issuer: issuerKeySet(keys) },
    vectors: cases.map(proofVector),
  };
}

/** The requirement for each claim. */
const RULE_OF: Readonly<Record<string, string>> = {
  iss: 'PROOF-ISS',
  iat: 'PROOF-IAT',
  exp: 'PROOF-EXP',
  domain: 'PROOF-DOMAIN',
  url: 'PROOF-URL',
  productId: 'PROOF-PRODUCTID',
  externalProductId: 'PROOF-EXTERNALID',
  productName: 'PROOF-NAME',
  storeName: 'PROOF-STORE',
  storeUrl: 'PROOF-STORE',
  certifiedAssets: 'PROOF-CERTIFIED',
  totalAssets: 'PROOF-TOTAL',
  coveragePercent: 'PROOF-PERCENT',
};

const isTime = (name: string) => name === 'iat' || name === 'exp';

function missing(issuer: VectorKey): ProofCase[] {
  const cases = Object.entries(RULE_OF).map(
    ([name, rule]): ProofCase => ({
      id: `claim-missing-${name}`,
      title: `Without the claim ${name}`,
      rules: ['INTACT', rule],
      jwt: proof(issuer, { [name]: undefined }),
      checks: {
        certificateIntegrity: 'claim_missing',
        ...(isTime(name) ? { timestampValid: 'claim_missing' } : {}),
      },
    }),
  );
  const payload = JSON.stringify(productClaims({ domain: undefined }));
  return [
    ...cases,
    {
      id: 'claim-missing-hidden-under-proto',
      title: 'A claim that stands under __proto__ is not there',
      rules: ['INTACT', 'PROOF-DOMAIN'],
      jwt: compact(
        header(issuer),
        `{"__proto__":{"domain":"shop.example"},${payload.slice(1)}`,
        rs256(issuer),
      ),
      checks: { certificateIntegrity: 'claim_missing' },
    },
    {
      id: 'claim-count-zero',
      title: 'No images at all: 0 is a count and a percentage',
      rules: ['INTACT', 'PROOF-PERCENT'],
      jwt: proof(issuer, { certifiedAssets: 0, totalAssets: 0, coveragePercent: 0 }),
    },
    {
      id: 'claim-percent-100',
      title: 'Every image: 100 is a percentage',
      rules: ['INTACT', 'PROOF-PERCENT'],
      jwt: proof(issuer, { certifiedAssets: 4, coveragePercent: 100 }),
    },
    {
      id: 'claim-unknown',
      title: 'A claim that nobody knows is no fault',
      rules: ['INTACT'],
      jwt: proof(issuer, { campaign: 'spring' }),
    },
  ];
}

/** Raw JSON texts, so that the payload contains numbers exactly as written here. */
const WRONG: readonly (readonly [claim: string, value: string])[] = [
  ['iss', '7'],
  ['iss', '["https://certificates.example"]'],
  ['domain', 'null'],
  ['domain', '["shop.example"]'],
  ['url', '{"@id":"https://shop.example/products/kettle"}'],
  ['productId', '7'],
  ['externalProductId', '7'],
  ['productName', 'null'],
  ['storeName', 'false'],
  ['storeUrl', '[]'],
  ['certifiedAssets', '"3"'],
  ['certifiedAssets', '2.5'],
  ['certifiedAssets', '-1'],
  ['certifiedAssets', '1e400'],
  ['totalAssets', 'null'],
  ['totalAssets', '9007199254740993'],
  ['coveragePercent', '"75"'],
  ['coveragePercent', '-0.01'],
  ['coveragePercent', '100.01'],
  ['coveragePercent', '1e400'],
];

const WRONG_TIME = ['text', '0.5 s', 'null', 'true', '[]', '1e400', '2^53'] as const;

function wrongTimeValue(kind: (typeof WRONG_TIME)[number], seconds: number): string {
  if (kind === 'text') return `"${seconds}"`;
  if (kind === '0.5 s') return `${seconds}.5`;
  if (kind === '2^53') return '9007199254740992';
  return kind;
}

function wrongType(issuer: VectorKey): ProofCase[] {
  const texts = WRONG.map(
    ([name, value]): ProofCase => ({
      id: `claim-type-${name}-${value}`,
      title: `The claim ${name} is ${value}`,
      rules: ['INTACT', RULE_OF[name] ?? ''],
      jwt: withRaw(issuer, name, value),
      checks: { certificateIntegrity: 'claim_wrong_type' },
    }),
  );
  const times = (['iat', 'exp'] as const).flatMap((name) =>
    WRONG_TIME.map((kind): ProofCase => {
      const value = wrongTimeValue(kind, name === 'iat' ? ISSUED_AT : ISSUED_AT + WEEK);
      return {
        id: `claim-type-${name}-${kind}`,
        title: `The claim ${name} is ${value}`,
        rules: ['INTACT', 'IN-RANGE', RULE_OF[name] ?? ''],
        jwt: withRaw(issuer, name, value),
        checks: { certificateIntegrity: 'claim_wrong_type', timestampValid: 'claim_wrong_type' },
      };
    }),
  );
  return [
    ...texts,
    ...times,
    {
      id: 'claim-type-exp-negative',
      title: 'exp lies before 1970: no time of ours, and long past',
      rules: ['INTACT', 'IN-RANGE', 'PROOF-EXP'],
      jwt: withRaw(issuer, 'exp', '-1'),
      checks: { certificateIntegrity: 'claim_wrong_type', timestampValid: 'proof_expired' },
    },
    {
      id: 'claim-type-iat-negative',
      title: 'iat lies before 1970: no time of ours, though not in the future',
      rules: ['INTACT', 'PROOF-IAT'],
      jwt: withRaw(issuer, 'iat', '-1'),
      checks: { certificateIntegrity: 'claim_wrong_type' },
    },
  ];
}

/** A proof in which one claim is exactly this JSON text. */
function withRaw(issuer: VectorKey, name: string, value: string): string {
  const marked = JSON.stringify(productClaims({ [name]: '@raw@' }));
  return compact(header(issuer), marked.replace('"@raw@"', value), rs256(issuer));
}

const CHECKED_AT = ISSUED_AT - DAY;
/** Raw JSON texts, each with whether it is a claim of control. */
const CONTROLS: readonly (readonly [id: string, title: string, value: string, isControl: boolean])[] = [
  ['dns', 'Control was proven by a DNS record', `{"method":"dns_txt","checkedAt":${CHECKED_AT}}`, true],
  ['file', 'Control was proven by a file', `{"method":"well_known","checkedAt":${CHECKED_AT}}`, true],
  ['tag', 'Control was proven by a meta tag', `{"method":"meta_tag","checkedAt":${CHECKED_AT}}`, true],
  ['none', 'Control had not been proven', '{"method":"none"}', true],
  ['later', 'A method, and a member, of a later release', `{"method":"x","checkedAt":0,"more":[1]}`, true],
  ['null', 'control is null, which is not absent', 'null', false],
  ['text', 'control is a text', '"dns_txt"', false],
  ['list', 'control is a list', `["dns_txt",${CHECKED_AT}]`, false],
  ['empty', 'control has no members', '{}', false],
  ['no-method', 'control has no method', `{"checkedAt":${CHECKED_AT}}`, false],
  ['method-number', 'The method is a number', `{"method":7,"checkedAt":${CHECKED_AT}}`, false],
  ['no-time', 'A method without the time of a check', '{"method":"dns_txt"}', false],
  ['time-null', 'The time of the check is null', '{"method":"dns_txt","checkedAt":null}', false],
  ['time-text', 'The time of the check is a text', '{"method":"dns_txt","checkedAt":"2026-03-02"}', false],
  ['time-negative', 'The check was before 1970', '{"method":"dns_txt","checkedAt":-1}', false],
  ['none-checked', 'none with the time of a check', `{"method":"none","checkedAt":${CHECKED_AT}}`, false],
  ['none-null', 'none with a time that is null', '{"method":"none","checkedAt":null}', false],
];

/** Whether control of the host had been proven; all other vectors are proofs from before this was signed. */
function control(issuer: VectorKey): ProofCase[] {
  return CONTROLS.map(([id, title, value, isControl]) => ({
    id: `claim-control-${id}`,
    title,
    rules: ['PROOF-CONTROL', 'INTACT'],
    jwt: withRaw(issuer, 'control', value),
    ...(isControl ? {} : { checks: { certificateIntegrity: 'claim_wrong_type' } }),
  }));
}

function lifetime(issuer: VectorKey): ProofCase[] {
  const rules = ['PROOF-EXP-7D', 'PROOF-EXP', 'INTACT'];
  const cases: [string, string, number][] = [
    ['one-second-more', 'Lives 7 days and a second', ISSUED_AT + WEEK + 1],
    ['one-second-less', 'Lives 7 days less a second', ISSUED_AT + WEEK - 1],
    ['a-year', 'Lives a year', ISSUED_AT + 365 * DAY],
  ];
  return [
    ...cases.map(
      ([id, title, exp]): ProofCase => ({
        id: `lifetime-${id}`,
        title,
        rules,
        jwt: proof(issuer, { exp }),
        checks: { certificateIntegrity: 'lifetime_wrong' },
      }),
    ),
    {
      id: 'lifetime-none',
      title: 'Expires when it is issued',
      rules,
      jwt: proof(issuer, { exp: ISSUED_AT }),
      checks: { certificateIntegrity: 'lifetime_wrong', timestampValid: 'proof_expired' },
    },
    {
      id: 'lifetime-milliseconds',
      title: 'iat and exp in milliseconds',
      rules: [...rules, 'IN-RANGE'],
      jwt: proof(issuer, { iat: ISSUED_AT * 1000, exp: (ISSUED_AT + WEEK) * 1000 }),
      checks: { certificateIntegrity: 'lifetime_wrong', timestampValid: 'proof_not_yet_valid' },
    },
  ];
}

/** Clock tolerance: iat at most 300 s ahead; exp more than 60 s ago is expired. */
function edges(issuer: VectorKey): ProofCase[] {
  const jwt = proof(issuer, { iat: NOW, exp: NOW + WEEK });
  const cases: [string, string, number, string?][] = [
    ['iat-300-ahead', 'Issued 300 s ahead of us: clocks differ', NOW - 300],
    ['iat-301-ahead', 'Issued 301 s ahead of us', NOW - 301, 'proof_not_yet_valid'],
    ['iat-now', 'Issued now', NOW],
    ['exp-in-1', 'A second before its end', NOW + WEEK - 1],
    ['exp-now', 'At its end', NOW + WEEK],
    ['exp-59-ago', '59 s after its end: clocks differ', NOW + WEEK + 59],
    ['exp-60-ago', '60 s after its end', NOW + WEEK + 60, 'proof_expired'],
    ['exp-61-ago', '61 s after its end', NOW + WEEK + 61, 'proof_expired'],
    ['before-1970', 'Judged by a clock that stands before 1970', -DAY, 'proof_not_yet_valid'],
  ];
  return cases.map(([id, title, now, fault]) => ({
    id: `time-${id}`,
    title,
    rules: ['IN-RANGE', 'CHECK-TIME', 'LIMIT-PROOF'],
    jwt,
    now,
    ...(fault === undefined ? {} : { checks: { timestampValid: fault } }),
  }));
}

function payloads(issuer: VectorKey): ProofCase[] {
  const sound = JSON.stringify(productClaims());
  const cases: [string, string, unknown][] = [
    ['empty', 'no bytes at all', ''],
    ['text', 'a JSON text', '"claims"'],
    ['array', 'a list of the claims', `[${sound}]`],
    ['null', 'null', 'null'],
    ['number', 'a number', '7'],
    ['cut', 'claims that are cut', sound.slice(0, -1)],
    ['trailing', 'claims with more after them', `${sound} x`],
    ['two-objects', 'two sets of claims', sound + sound],
    ['comment', 'claims with a comment', `${sound}/* */`],
    ['nan', 'claims with NaN', sound.replace('75}', 'NaN}')],
    ['leading-zero', 'claims with a number that begins with 0', sound.replace('75}', '075}')],
    ['bom', 'claims after a byte order mark', `\ufeff${sound}`],
    ['utf-16', 'claims in UTF-16', Buffer.from(sound, 'utf16le')],
    [
      'invalid-utf-8',
      'claims that are not UTF-8',
      Buffer.concat([
        Buffer.from(sound.slice(0, -1)),
        Buffer.from([0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      ]),
    ],
    ['duplicate', 'claims with domain twice', sound.replace('{', '{"domain":"bargains.example",')],
    ['duplicate-last', 'claims with exp twice', sound.replace(/}$/, ',"exp":9999999999}')],
    [
      'duplicate-same',
      'claims with domain twice, both the same',
      sound.replace('{', '{"domain":"shop.example",'),
    ],
    [
      'duplicate-escaped',
      'claims with domain twice, once in escapes',
      sound.replace('{', '{"\\u0064omain":"bargains.example",'),
    ],
    [
      'duplicate-nested',
      'claims with an object that has a name twice',
      sound.replace('{', '{"x":{"a":1,"a":2},'),
    ],
  ];
  return cases.map(([id, title, payload]) => ({
    id: `payload-${id}`,
    title: `The payload is ${title}`,
    rules: ['STRICT-JWS', 'CHECK-INTEGRITY'],
    jwt: compact(header(issuer), payload, rs256(issuer)),
    checks: noClaims,
  }));
}
