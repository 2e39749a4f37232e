import { deflateSync } from 'node:zlib';
import type { WithdrawalVector } from '../kit/vectors.ts';
import { bareCertificate, timestamp } from './builder.ts';
import { type Keys, rsaKey, type VectorKey } from './keys.ts';
import { issuerKeySet, jwksOf, type Theme } from './theme.ts';
import {
  type Claims,
  compact,
  DAY,
  ISSUED_AT,
  ISSUER,
  NOW,
  PAGE_URL,
  PRODUCT_ID,
  proof,
  rs256,
} from './tokens.ts';

const OTHER = 'https://other-certificates.example';
const LISTS = '/api/v1/mc4p/status/';
const KEYS = '/api/v1/.well-known/status-list-jwks.json';
const PROOF_KEYS = '/api/v1/.well-known/jwks.json';
const RULES = ['WITHDRAWAL'];
const ENTRIES = 1_048_576;
/** A place of each value, the first and the last included. */
const PLACE = { valid: 0, invalid: 159_495, suspended: 1_048_575, undefined: 554_353 } as const;

const listUri = (issuer: string, list: number) => `${issuer}${LISTS}${list}`;
const URI = listUri(ISSUER, 1_730_216_309);
const claim = (idx: unknown, uri: unknown = URI) => ({ status: { status_list: { idx, uri } } });

/** A list with one place of each value, compressed. */
function compressed(size = ENTRIES / 4): string {
  const bytes = new Uint8Array(size);
  const put = (index: number, value: number) => {
    bytes[index >> 2] = (bytes[index >> 2] ?? 0) | (value << ((index & 3) * 2));
  };
  put(PLACE.invalid, 1);
  put(PLACE.suspended, 2);
  put(PLACE.undefined, 3);
  return deflateSync(bytes, { level: 6 }).toString('base64url');
}

const LST = compressed();

/** A status list, signed by this key, with changes; `undefined` removes a claim. */
function listToken(key: VectorKey, changes: Claims = {}, header: Claims = {}): string {
  const iat = NOW - 600;
  const claims = {
    sub: URI,
    iat,
    exp: iat + DAY,
    ttl: 900,
    status_list: { bits: 2, lst: LST },
    revoked_kids: [],
    ...changes,
  };
  return compact({ alg: 'RS256', kid: key.kid, typ: 'statuslist+jwt', ...header }, claims, rs256(key));
}

/** What follows from each answer about a withdrawal, for a certificate that is otherwise verified. */
const FOLLOWS = {
  not_withdrawn: ['valid', 'verified', [], [], 'control_unknown'],
  withdrawn: ['invalid', 'failed', ['certificate_withdrawn'], [], 'withdrawn'],
  key_revoked: ['invalid', 'failed', ['certificate_withdrawn'], [], 'withdrawn'],
  suspended: ['suspended', 'verified', [], ['certificate_suspended'], 'suspended'],
  status_claim_required: [null, 'failed', ['status_claim_required'], [], 'not_in_status_list'],
  status_claim_malformed: [null, 'failed', ['status_claim_malformed'], [], 'not_in_status_list'],
  status_uri_differs: [null, 'failed', ['status_uri_differs'], [], 'not_in_status_list'],
  status_index_out_of_range: [null, 'failed', ['status_index_out_of_range'], [], 'not_in_status_list'],
} as const satisfies Readonly<
  Record<string, readonly [string | null, string, readonly string[], readonly string[], string]>
>;
const NOTHING = [null, 'verified', [], [], 'control_unknown'] as const;

interface Case {
  readonly jwt: string;
  readonly reason: string;
  /** What addresses answer, besides the keys of the issuer's lists; all others 404. */
  readonly served?: Readonly<Record<string, unknown>>;
  readonly requested?: readonly string[];
  readonly changes?: Partial<WithdrawalVector['context']>;
  readonly expect?: Partial<WithdrawalVector['expect']>;
}

/** States of a certificate, faults of lists and of claims, two issuers, and proofs by a thief of a key. */
export function withdrawal(keys: Keys): Theme {
  const lists = rsaKey('status-2026-03');
  const sameName = rsaKey('status-2026-03');
  const others = rsaKey('other-2026-03');
  const listKeys = { [`${ISSUER}${KEYS}`]: { ...jwksOf(lists), claim_required_from: ISSUED_AT } };
  const signed = (idx: unknown, uri?: unknown) => proof(keys.issuer, claim(idx, uri));

  const vector = (id: string, title: string, given: Case): WithdrawalVector => {
    const { jwt, reason, served = {}, requested = [URI], changes, expect } = given;
    const [status, verdict, errors, warnings, conclusion] =
      FOLLOWS[reason as keyof typeof FOLLOWS] ?? NOTHING;
    return {
      id: `withdrawal-${id}`,
      title,
      rules: RULES,
      kind: 'withdrawal',
      input: { document: bareCertificate(jwt) },
      context: {
        pageUrl: PAGE_URL,
        productId: PRODUCT_ID,
        issuers: [ISSUER],
        now: timestamp(NOW),
        served: { ...listKeys, ...served },
        ...changes,
      },
      jwks: 'issuer',
      expect: {
        withdrawal: { status, reason },
        requested,
        status: verdict,
        errors,
        warnings,
        conclusion,
        ...expect,
      },
    };
  };
  const faultOfList = (id: string, title: string, reason: string, token: unknown) =>
    vector(`list-${id}`, title, { jwt: signed(PLACE.valid), reason, served: { [URI]: token } });
  const served = { [URI]: listToken(lists) };
  const beforeRequired = proof(keys.issuer, { iat: ISSUED_AT - 1, exp: ISSUED_AT - 1 + 7 * DAY });
  const now = (seconds: number) => ({ now: timestamp(NOW + seconds) });

  const states = (
    [
      ['valid', 'not_withdrawn'],
      ['invalid', 'withdrawn'],
      ['suspended', 'suspended'],
      ['undefined', 'status_value_unknown'],
    ] as const
  ).map(([state, reason]) =>
    vector(state, `A certificate at a place that is ${state}`, { jwt: signed(PLACE[state]), reason, served }),
  );

  const faults: readonly (readonly [
    id: string,
    title: string,
    reason: string,
    token: (state: keyof typeof PLACE) => unknown,
  ])[] = [
    ['absent', 'An address that answers 404', 'status_list_unreachable', () => undefined],
    [
      'expired',
      'A list that expired a minute ago',
      'status_list_expired',
      () => listToken(lists, { iat: NOW - DAY - 60, exp: NOW - 60 }),
    ],
    [
      'early',
      'A list that is issued in 61 seconds',
      'status_list_not_yet_valid',
      () => listToken(lists, { iat: NOW + 61, exp: NOW + 61 + DAY }),
    ],
    [
      'altered',
      'A list with another signature',
      'status_list_signature_invalid',
      () =>
        `${listToken(lists).split('.').slice(0, 2).join('.')}.${listToken(lists, { ttl: 901 }).split('.')[2]}`,
    ],
    [
      'swapped',
      'The list of another address',
      'status_list_subject_differs',
      () => listToken(lists, { sub: listUri(ISSUER, 8) }),
    ],
    [
      'typ',
      'A list with the type of a proof',
      'status_list_type_wrong',
      () => listToken(lists, {}, { typ: 'product-certificate+jwt' }),
    ],
    [
      'proof-key',
      'A list signed with a key of proofs',
      'status_list_key_unknown',
      () => listToken(keys.issuer),
    ],
    [
      'cut',
      'A list whose stream is cut',
      'status_list_malformed',
      () => listToken(lists, { status_list: { bits: 2, lst: LST.slice(0, -8) } }),
    ],
    [
      'short',
      'A list with too few entries',
      'status_list_malformed',
      () => listToken(lists, { status_list: { bits: 2, lst: compressed(ENTRIES / 4 - 1) } }),
    ],
    [
      'long',
      'A list with too many entries',
      'status_list_too_large',
      () => listToken(lists, { status_list: { bits: 2, lst: compressed(ENTRIES / 4 + 1) } }),
    ],
  ];
  // whatever the fault, neither of the states is told
  const eachFault = faults.flatMap(([id, title, reason, token]) =>
    (['valid', 'invalid', 'suspended'] as const).map((state) =>
      vector(`${state}-in-list-${id}`, `${title}, and a place that was ${state}`, {
        jwt: signed(PLACE[state]),
        reason,
        served: { [URI]: token(state) },
      }),
    ),
  );

  return {
    name: 'withdrawal',
    about: 'Status lists of 2^20 entries, and what a verifier concludes from them.',
    jwks: { issuer: issuerKeySet(keys), other: jwksOf(others) },
    vectors: [
      ...states,
      ...eachFault,
      faultOfList(
        'same-name',
        'A stranger’s key of the same name',
        'status_list_signature_invalid',
        listToken(sameName),
      ),
      faultOfList(
        'one-bit',
        'A list of single bits',
        'status_list_malformed',
        listToken(lists, { status_list: { bits: 1, lst: LST } }),
      ),
      faultOfList(
        'no-exp',
        'A list without an end',
        'status_list_malformed',
        listToken(lists, { exp: undefined }),
      ),
      faultOfList('text', 'A page in its place', 'status_list_malformed', '<!doctype html>'),
      vector('list-last-second', 'A list 59 seconds past its end', {
        jwt: signed(PLACE.invalid),
        reason: 'withdrawn',
        served,
        changes: now(DAY - 600 + 59),
      }),
      vector('required-unknown', 'No list, and a caller that requires to know', {
        jwt: signed(PLACE.valid),
        reason: 'status_list_unreachable',
        changes: { policy: 'required' },
        expect: { warnings: ['withdrawal_unknown'], conclusion: 'withdrawal_unknown' },
      }),
      vector('policy-none', 'A caller that does not want to know', {
        jwt: signed(PLACE.invalid),
        reason: 'not_looked_at',
        served,
        requested: [],
        changes: { policy: 'none' },
      }),
      vector('elsewhere', 'A withdrawn certificate on another page', {
        jwt: signed(PLACE.invalid),
        reason: 'withdrawn',
        served,
        changes: { pageUrl: 'https://outlet.example/products/kettle' },
        expect: { errors: ['certificate_withdrawn', 'url_differs'] },
      }),
      vector('claim-absent-before', 'A proof without the claim, of a day before it was required', {
        jwt: beforeRequired,
        reason: 'status_claim_absent',
        requested: [],
      }),
      vector('claim-absent', 'A proof without the claim, from when it was required', {
        jwt: proof(keys.issuer),
        reason: 'status_claim_required',
        requested: [],
      }),
      ...(
        [
          ['null', { status: null }],
          ['no-list', { status: {} }],
          ['text-index', claim('0')],
          ['negative', claim(-1)],
          ['no-uri', { status: { status_list: { idx: 0 } } }],
        ] as const
      ).map(([id, claims]) =>
        vector(`claim-${id}`, `A malformed claim: ${id}`, {
          jwt: proof(keys.issuer, claims),
          reason: 'status_claim_malformed',
          served,
          requested: [],
        }),
      ),
      ...(
        [
          ['host', `https://evil.example${LISTS}7`],
          ['other-issuer', listUri(OTHER, 7)],
          ['query', `${URI}?x=1`],
          ['path', `${ISSUER}${LISTS}../7`],
          ['zero', listUri(ISSUER, 0)],
          ['padded', `${ISSUER}${LISTS}07`],
          ['too-high', listUri(ISSUER, 2_147_483_648)],
        ] as const
      ).map(([id, uri]) =>
        vector(`uri-${id}`, `An address that is not one of a list of the issuer: ${id}`, {
          jwt: signed(PLACE.valid, uri),
          reason: 'status_uri_differs',
          served: { ...served, [uri]: listToken(lists, { sub: uri }) },
          requested: [],
        }),
      ),
      vector('index-outside', 'A place after the last', {
        jwt: signed(ENTRIES),
        reason: 'status_index_out_of_range',
        served,
        requested: [],
      }),
      vector('forged', 'A forged proof, for which nothing is requested', {
        jwt: proof(keys.impostor, claim(PLACE.valid)),
        reason: 'not_looked_at',
        served,
        requested: [],
        expect: { status: 'failed', errors: ['signature_mismatch'], conclusion: 'not_signed_by_issuer' },
      }),
      vector('untrusted', 'A proof of an issuer that is not trusted, for which nothing is requested', {
        jwt: proof(keys.issuer, { iss: OTHER, ...claim(PLACE.valid, listUri(OTHER, 7)) }),
        reason: 'not_looked_at',
        served: { ...served, [listUri(OTHER, 7)]: listToken(lists, { sub: listUri(OTHER, 7) }) },
        requested: [],
        expect: { status: 'failed', errors: ['issuer_untrusted'], conclusion: 'issuer_untrusted' },
      }),
      vector('thief', 'A proof by a stolen key that was revoked, with the place of a stranger’s valid one', {
        jwt: signed(PLACE.valid),
        reason: 'key_revoked',
        served: { [URI]: listToken(lists, { revoked_kids: [keys.issuer.kid] }) },
      }),
      ...(
        [
          ['no-list', 'a list that does not exist', signed(PLACE.valid, listUri(ISSUER, 8))],
          ['no-claim', 'no list, dated before this was required', beforeRequired],
        ] as const
      ).map(([id, named, jwt]) =>
        vector(`thief-${id}`, `A proof by a stolen key that its issuer no longer publishes, with ${named}`, {
          jwt,
          reason: 'key_revoked',
          served: { ...served, [`${ISSUER}${PROOF_KEYS}`]: jwksOf(keys.next) },
          requested: id === 'no-list' ? [listUri(ISSUER, 8)] : [],
        }),
      ),
      vector('list-absent-key-present', 'No list, and a key that the issuer still publishes', {
        jwt: signed(PLACE.valid),
        reason: 'status_list_unreachable',
        served: { [`${ISSUER}${PROOF_KEYS}`]: issuerKeySet(keys) },
      }),
      vector('thief-another-key', 'A revoked key does not withdraw what another key signed', {
        jwt: signed(PLACE.valid),
        reason: 'not_withdrawn',
        served: { [URI]: listToken(lists, { revoked_kids: [keys.next.kid] }) },
      }),
      vector('thief-list', 'A list signed with the stolen key, that calls its proof valid', {
        jwt: signed(PLACE.valid),
        reason: 'status_list_key_unknown',
        served: { [URI]: listToken(keys.issuer) },
      }),
      ...twoIssuers(vector, { keys, lists, others, sameName }),
    ],
  };
}

/** Two trusted issuers, with keys of their lists by one name: neither says anything of a proof of the other. */
function twoIssuers(
  vector: (id: string, title: string, given: Case) => WithdrawalVector,
  {
    keys,
    lists,
    others,
    sameName,
  }: { readonly keys: Keys } & Readonly<Record<'lists' | 'others' | 'sameName', VectorKey>>,
): WithdrawalVector[] {
  const uri = listUri(OTHER, 7);
  const ofOther = proof(others, { iss: OTHER, ...claim(PLACE.invalid, uri) });
  const changes = { issuers: [ISSUER, OTHER] };
  const otherKeys = { [`${OTHER}${KEYS}`]: jwksOf(sameName) };
  const both = (id: string, title: string, given: Case) => ({
    ...vector(`two-${id}`, title, { ...given, changes }),
    jwksByIssuer: { [OTHER]: 'other' },
  });
  return [
    both('own', 'A proof of the other issuer, in a list of its own', {
      jwt: ofOther,
      reason: 'withdrawn',
      served: { ...otherKeys, [uri]: listToken(sameName, { sub: uri }) },
      requested: [uri],
    }),
    both('crossed-key', 'A list of the other issuer, signed by the first', {
      jwt: ofOther,
      reason: 'status_list_signature_invalid',
      served: { ...otherKeys, [uri]: listToken(lists, { sub: uri }) },
      requested: [uri],
    }),
    both('crossed-list', 'The list of the first issuer at the address of the other', {
      jwt: ofOther,
      reason: 'status_list_subject_differs',
      served: { ...otherKeys, [uri]: listToken(sameName) },
      requested: [uri],
    }),
    both('crossed-claim', 'A proof of the first issuer that names a list of the other', {
      jwt: proof(keys.issuer, claim(PLACE.valid, uri)),
      reason: 'status_uri_differs',
      served: { ...otherKeys, [uri]: listToken(sameName, { sub: uri }) },
      requested: [],
    }),
  ];
}
