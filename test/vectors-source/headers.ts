import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { type ProofCase, proofVector } from './builder.ts';
import type { Keys } from './keys.ts';
import { issuerKeySet, type Theme } from './theme.ts';
import {
  type Claims,
  compact,
  header,
  hs256,
  imageClaims,
  productClaims,
  proof,
  rs256,
  TYP,
} from './tokens.ts';

/** Algorithms, key names, header parameters and kinds of proof. */
export function headers(keys: Keys): Theme {
  const cases = [
    ...noneSpellings(keys),
    ...macs(keys),
    ...otherAlgorithms(keys),
    ...kids(keys),
    ...parameters(keys),
    ...kinds(keys),
    ...brokenHeaders(keys),
  ];
  return {
    name: 'headers',
    about: 'Algorithms, key names, header parameters, kinds of proof, and headers that are none.',
    jwks: { issuer: issuerKeySet(keys) },
    vectors: cases.map(proofVector),
  };
}

const ALG = ['AUTH-3-ALG', 'PROOF-RS256', 'CHECK-SIGNATURE'];

function noneSpellings({ issuer }: Keys): ProofCase[] {
  const spellings = ['none', 'None', 'NONE', 'nOnE', 'nonE', ' none', 'none ', ''];
  const signed = spellings.map(
    (alg): ProofCase => ({
      id: `alg-none-signed-${JSON.stringify(alg)}`,
      title: `alg “${alg}” over a signature that would be sound`,
      rules: ALG,
      jwt: proof(issuer, {}, { alg }),
      checks: { signatureValid: 'algorithm_not_allowed' },
    }),
  );
  const junk = spellings.slice(0, 4).map(
    (alg): ProofCase => ({
      id: `alg-none-junk-${alg}`,
      title: `alg “${alg}” over a signature of one byte`,
      rules: ALG,
      jwt: compact(header(issuer, { alg }), productClaims(), () => Buffer.from([0])),
      checks: { signatureValid: 'algorithm_not_allowed' },
    }),
  );
  const unsigned = spellings.slice(0, 4).map(
    (alg): ProofCase => ({
      id: `alg-none-unsigned-${alg}`,
      title: `alg “${alg}” without a signature (RFC 7515 appendix A.5): no signed proof at all`,
      rules: [...ALG, 'STRICT-JWS'],
      jwt: compact(header(issuer, { alg }), productClaims(), () => Buffer.alloc(0)),
      checks: {
        signatureValid: 'proof_malformed',
        certificateIntegrity: 'proof_malformed',
        timestampValid: [null, 'proof_malformed'],
      },
    }),
  );
  return [...signed, ...junk, ...unsigned];
}

function macs({ issuer }: Keys): ProofCase[] {
  const n = issuer.jwk.n ?? '';
  const pkcs1 = createPublicKey(issuer.pem).export({ type: 'pkcs1', format: 'pem' }) as string;
  const secrets: [string, string, string | Buffer][] = [
    ['pem', 'the public key as PEM', issuer.pem],
    ['pem-trimmed', 'the public key as PEM without its last line break', issuer.pem.trimEnd()],
    ['pkcs1', 'the public key as PKCS#1 PEM', pkcs1],
    ['n-text', 'the text of the modulus', n],
    ['n-bytes', 'the bytes of the modulus', Buffer.from(n, 'base64url')],
    ['jwk', 'the JWK', JSON.stringify(issuer.jwk)],
    ['empty', 'nothing', ''],
  ];
  return secrets.flatMap(([id, title, secret]): ProofCase[] => [
    {
      id: `hs256-${id}`,
      title: `HS256 keyed with ${title}`,
      rules: ALG,
      jwt: compact(header(issuer, { alg: 'HS256' }), productClaims(), hs256(secret)),
      checks: { signatureValid: 'algorithm_not_allowed' },
    },
    {
      id: `hs256-as-rs256-${id}`,
      title: `HMAC keyed with ${title}, called RS256`,
      rules: ALG,
      jwt: compact(header(issuer), productClaims(), hs256(secret)),
      checks: { signatureValid: 'signature_mismatch' },
    },
  ]);
}

function otherAlgorithms({ issuer }: Keys): ProofCase[] {
  const { privateKey } = issuer;
  const pss = (data: Buffer) => sign('sha256', data, { key: privateKey, padding: 6, saltLength: 32 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const es256 = (data: Buffer) => sign('sha256', data, { key: ec, dsaEncoding: 'ieee-p1363' });
  const ed = generateKeyPairSync('ed25519').privateKey;
  const made: [string, (data: Buffer) => Buffer][] = [
    ['PS256', pss],
    ['RS384', rs256(issuer, 'sha384')],
    ['RS512', rs256(issuer, 'sha512')],
    ['RS1', rs256(issuer, 'sha1')],
    ['ES256', es256],
    ['EdDSA', (data) => sign(null, data, ed)],
  ];
  const oddNames: [string, unknown][] = [
    ['lower case', 'rs256'],
    ['space', 'RS256 '],
    ['NUL', 'RS256\u0000'],
    ['missing', undefined],
    ['null', null],
    ['list', ['RS256']],
    ['number', 256],
    ['object', { name: 'RS256' }],
    ['RSA', 'RSASSA-PKCS1-v1_5'],
  ];
  return [
    {
      id: 'alg-rs256',
      title: 'RS256 by a key of the set',
      rules: [...ALG, 'AUTH-3-KID', 'PROOF-KID', 'CACHE-JWKS', 'JWKS-SHAPE'],
      jwt: proof(issuer),
    },
    ...made.map(
      ([alg, signature]): ProofCase => ({
        id: `alg-${alg}`,
        title: `Really signed with ${alg}`,
        rules: ALG,
        jwt: compact(header(issuer, { alg }), productClaims(), signature),
        checks: { signatureValid: 'algorithm_not_allowed' },
      }),
    ),
    ...made.map(
      ([alg, signature]): ProofCase => ({
        id: `alg-${alg}-as-rs256`,
        title: `Signed with ${alg}, called RS256`,
        rules: ALG,
        jwt: compact(header(issuer), productClaims(), signature),
        checks: { signatureValid: 'signature_mismatch' },
      }),
    ),
    ...oddNames.map(
      ([name, alg]): ProofCase => ({
        id: `alg-name-${name.replace(' ', '-')}`,
        title: `alg is ${JSON.stringify(alg) ?? 'missing'}, over a signature that would be sound`,
        rules: ALG,
        jwt: proof(issuer, {}, { alg }),
        checks: { signatureValid: 'algorithm_not_allowed' },
      }),
    ),
  ];
}

function kids({ issuer, next, stranger }: Keys): ProofCase[] {
  const rules = ['AUTH-3-KID', 'PROOF-KID', 'CHECK-SIGNATURE'];
  const unknown: [string, string][] = [
    ['stranger', 'some-other-key'],
    ['path', '../../../../etc/passwd'],
    ['path-absolute', '/dev/null'],
    ['url', 'https://bargains.example/jwks.json'],
    ['sql', "' or 1=1 --"],
    ['proto', '__proto__'],
    ['constructor', 'constructor'],
    ['index', '0'],
    ['upper-case', 'ISSUER-2026-03'],
    ['space', 'issuer-2026-03 '],
    ['nul', 'issuer-2026-03\u0000'],
    ['unicode', 'issuer‐2026‐03'],
    ['long', 'k'.repeat(2000)],
  ];
  const missing: [string, unknown][] = [
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['number', 0],
    ['list', ['issuer-2026-03']],
    ['object', {}],
  ];
  return [
    ...unknown.map(
      ([id, kid]): ProofCase => ({
        id: `kid-${id}`,
        title: `The key is called ${JSON.stringify(kid).slice(0, 60)}, which the set does not hold`,
        rules: [...rules, 'AUTH-NO-FOLLOW'],
        jwt: proof(issuer, {}, { kid }),
        checks: { signatureValid: 'key_unknown' },
      }),
    ),
    ...missing.map(
      ([id, kid]): ProofCase => ({
        id: `kid-${id}`,
        title: `The name of the key is ${JSON.stringify(kid) ?? 'missing'}: no key is guessed`,
        rules,
        jwt: proof(issuer, {}, { kid }),
        checks: { signatureValid: 'kid_missing' },
      }),
    ),
    {
      id: 'kid-of-other-key',
      title: 'Names the other key of the set than the one that signed',
      rules,
      jwt: proof(issuer, {}, { kid: next.kid }),
      checks: { signatureValid: 'signature_mismatch' },
    },
    {
      id: 'kid-of-issuer-by-stranger',
      title: "Names the issuer's key, signed by a stranger",
      rules,
      jwt: proof(stranger, {}, { kid: issuer.kid }),
      checks: { signatureValid: 'signature_mismatch' },
    },
  ];
}

function parameters({ issuer, stranger }: Keys): ProofCase[] {
  const rules = ['STRICT-JWS', 'AUTH-NO-FOLLOW', 'CHECK-SIGNATURE'];
  const url = 'https://bargains.example/keys';
  const added: [string, Claims][] = [
    ['jwk', { jwk: issuer.jwk }],
    ['jku', { jku: url }],
    ['x5u', { x5u: url }],
    ['x5c', { x5c: ['MIIB'] }],
    ['x5t', { x5t: 'AAAA' }],
    ['x5t-s256', { 'x5t#S256': 'AAAA' }],
    ['crit', { crit: ['exp'], exp: 1 }],
    ['crit-empty', { crit: [] }],
    ['b64-false', { b64: false, crit: ['b64'] }],
    ['b64-true', { b64: true }],
    ['cty', { cty: 'JWT' }],
    ['zip', { zip: 'DEF' }],
    ['enc', { enc: 'A128GCM' }],
    ['unknown', { note: 'hello' }],
    ['alg-capital', { Alg: 'none' }],
  ];
  return [
    ...added.map(
      ([id, changes]): ProofCase => ({
        id: `header-${id}`,
        title: `A header that carries ${Object.keys(changes).join(' and ')} too, over a signature that would be sound`,
        rules,
        jwt: proof(issuer, {}, changes),
        checks: { signatureValid: 'header_not_allowed' },
      }),
    ),
    {
      id: 'header-jwk-of-stranger',
      title: 'Signed by a stranger who brings the key along',
      rules,
      jwt: proof(stranger, {}, { kid: issuer.kid, jwk: stranger.jwk }),
      checks: { signatureValid: 'header_not_allowed' },
    },
  ];
}

/** Three kinds of proof, distinguished by `typ` (RFC 8725 section 3.11), and every pair of them. */
function kinds({ issuer }: Keys): ProofCase[] {
  const claimsOf = {
    product: productClaims(),
    asset: imageClaims('assetId'),
    image: imageClaims('imageId'),
  } as const;
  const all = ['product', 'asset', 'image'] as const;
  const pairs = all.flatMap((made) => all.map((calledFor) => ({ made, calledFor })));
  const replays = pairs.map(
    ({ made, calledFor }): ProofCase => ({
      id: `kind-${made}-as-${calledFor}`,
      title: `The proof of ${made === 'asset' ? 'an' : 'a'} ${made} certificate where one of ${calledFor} is called for`,
      rules: ['PROOF-KINDS', 'CHECK-INTEGRITY'],
      jwt: compact(header(issuer, { typ: TYP[made] }), claimsOf[made], rs256(issuer)),
      proofKind: calledFor,
      checks: made === calledFor ? {} : { certificateIntegrity: 'proof_kind_wrong' },
    }),
  );
  const odd: [string, unknown][] = [
    ['missing', undefined],
    ['JWT', 'JWT'],
    ['upper-case', 'PRODUCT-CERTIFICATE+JWT'],
    ['prefix', `application/${TYP.product}`],
    ['null', null],
    ['list', [TYP.product]],
  ];
  return [
    ...replays,
    ...odd.map(
      ([id, typ]): ProofCase => ({
        id: `typ-${id}`,
        title: `typ is ${JSON.stringify(typ) ?? 'missing'}`,
        rules: ['PROOF-KINDS'],
        jwt: proof(issuer, {}, { typ }),
        checks: { certificateIntegrity: 'proof_kind_wrong' },
      }),
    ),
    {
      id: 'kind-asset-claims-as-product',
      title: 'The claims of an asset under the typ of a product',
      rules: ['PROOF-KINDS', 'INTACT'],
      jwt: compact(header(issuer), imageClaims('assetId'), rs256(issuer)),
      checks: { certificateIntegrity: 'claim_missing' },
    },
  ];
}

function brokenHeaders({ issuer }: Keys): ProofCase[] {
  const sound = JSON.stringify(header(issuer));
  const broken: [string, string, unknown][] = [
    ['empty', 'no bytes at all', ''],
    ['not-json', 'no JSON', 'header'],
    ['array', 'a list', `[${sound}]`],
    ['null', 'null', 'null'],
    ['bom', 'begun by a byte order mark', `\ufeff${sound}`],
    [
      'invalid-utf-8',
      'not UTF-8',
      Buffer.concat([
        Buffer.from(sound.slice(0, -1)),
        Buffer.from([0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      ]),
    ],
    ['duplicate-alg', 'one with alg twice', sound.replace('{', '{"alg":"none",')],
    ['duplicate-kid', 'one with kid twice', sound.replace('{', '{"kid":"some-other-key",')],
    ['duplicate-escaped', 'one with kid twice, once in escapes', sound.replace('{', '{"\\u006bid":"x",')],
  ];
  return broken.map(([id, title, text]: [string, string, unknown]) => ({
    id: `header-${id}`,
    title: `The header is ${title}`,
    rules: ['STRICT-JWS', 'CHECK-SIGNATURE'],
    jwt: compact(text, productClaims(), rs256(issuer)),
    checks: { signatureValid: 'proof_malformed', certificateIntegrity: 'proof_malformed' },
  }));
}
