import { type ProofCase, proofVector, unreadable } from './builder.ts';
import type { Keys, VectorKey } from './keys.ts';
import { issuerKeySet, type Theme } from './theme.ts';
import { compact, encoded, header, productClaims, proof, rs256 } from './tokens.ts';

/** Texts that are almost a compact JWS, and signatures that almost match. */
export function encoding(keys: Keys): Theme {
  const { issuer } = keys;
  const cases = [...structure(issuer), ...alphabet(issuer), ...signatures(issuer), ...sizes(issuer)];
  return {
    name: 'encoding',
    about: 'Texts that are nearly a compact JWS, signatures that nearly match, and sizes about the limit.',
    jwks: { issuer: issuerKeySet(keys) },
    vectors: cases.map(proofVector),
  };
}

const RULES = ['STRICT-JWS', 'CHECK-INTEGRITY', 'CHECK-SIGNATURE'];

function parts(jwt: string): [string, string, string] {
  const [head = '', payload = '', signature = ''] = jwt.split('.');
  return [head, payload, signature];
}

function structure(issuer: VectorKey): ProofCase[] {
  const jwt = proof(issuer);
  const [head, payload, signature] = parts(jwt);
  const flattened = { payload, protected: head, signature };
  const texts: [string, string, string][] = [
    ['empty', 'No text', ''],
    ['one-part', 'One part', head],
    ['two-parts', 'Header and payload', `${head}.${payload}`],
    ['no-signature', 'An empty signature', `${head}.${payload}.`],
    ['four-parts', 'Four parts', `${jwt}.${signature}`],
    ['five-parts', 'Five parts, like a JWE', `${jwt}.${signature}.${signature}`],
    ['leading-dot', 'A dot in front', `.${jwt}`],
    ['trailing-dot', 'A dot at the end', `${jwt}.`],
    ['two-dots', 'Two dots between header and payload', `${head}..${payload}.${signature}`],
    ['dots-only', 'Two dots alone', '..'],
    ['comma', 'Commas in place of dots', `${head},${payload},${signature}`],
    ['json-flattened', 'The flattened JSON serialisation', JSON.stringify(flattened)],
    [
      'json-general',
      'The general JSON serialisation',
      JSON.stringify({ payload, signatures: [{ protected: head, signature }] }),
    ],
    ['bearer', 'The word Bearer in front', `Bearer ${jwt}`],
    ['quoted', 'In quotes', `"${jwt}"`],
    ['claims-text', 'The claims themselves', JSON.stringify(productClaims())],
  ];
  return texts.map(([id, title, text]) => ({
    id: `structure-${id}`,
    title,
    rules: RULES,
    jwt: text,
    checks: unreadable('proof_malformed'),
  }));
}

function alphabet(issuer: VectorKey): ProofCase[] {
  const jwt = proof(issuer);
  const [head, payload, signature] = parts(jwt);
  const texts: [string, string, string][] = [
    ['space-before', 'A space in front', ` ${jwt}`],
    ['space-after', 'A space at the end', `${jwt} `],
    [
      'space-inside',
      'A space in the signature',
      `${head}.${payload}.${signature.slice(0, 40)} ${signature.slice(40)}`,
    ],
    ['line-break-after', 'A line break at the end', `${jwt}\n`],
    [
      'line-break-inside',
      'A line break in the payload',
      `${head}.${payload.slice(0, 64)}\r\n${payload.slice(64)}.${signature}`,
    ],
    ['tab-inside', 'A tab in the header', `${head.slice(0, 8)}\t${head.slice(8)}.${payload}.${signature}`],
    ['padding-signature', 'Padding after the signature', `${jwt}==`],
    ['padding-header', 'Padding after the header', `${head}=.${payload}.${signature}`],
    ['padding-payload', 'Padding after the payload', `${head}.${payload}=.${signature}`],
    [
      'standard-alphabet',
      'The other alphabet: + in the signature',
      `${head}.${payload}.+${signature.slice(1)}`,
    ],
    [
      'standard-alphabet-slash',
      'The other alphabet: / in the signature',
      `${head}.${payload}./${signature.slice(1)}`,
    ],
    [
      'leftover-signature',
      'Bits left over at the end of the signature',
      `${head}.${payload}.${leftOver(signature)}`,
    ],
    ['leftover-payload', 'Bits left over at the end of the payload', leftOverPayload(issuer)],
    ['single-character', 'One character that stands for no byte', `${head}.${payload}.${signature}AAA`],
    ['percent', 'A character in percent-encoding', `${head}.${payload}.%41${signature.slice(1)}`],
    ['nul', 'NUL at the end', `${jwt}\u0000`],
    ['full-width', 'A full-width letter', `${head}.${payload}.Ａ${signature.slice(1)}`],
    ['zero-width', 'A zero-width space', `${head}.${payload}.\u200b${signature}`],
    ['surrogate', 'A lone surrogate', `${head}.${payload}.\ud800${signature.slice(1)}`],
  ];
  return texts.map(([id, title, text]) => ({
    id: `alphabet-${id}`,
    title,
    rules: RULES,
    jwt: text,
    checks: unreadable('proof_malformed'),
  }));
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The same bytes in a non-canonical text: the unused bits of its last character are set. */
function leftOver(text: string): string {
  if (text.length % 4 === 0) throw new Error('no bits are left over in this text');
  const last = DIGITS.indexOf(text.slice(-1));
  return text.slice(0, -1) + DIGITS.charAt(last | 1);
}

/** A proof with a non-canonical payload, signed as it is, so that nothing else is wrong. */
function leftOverPayload(issuer: VectorKey): string {
  for (let length = 0; ; length++) {
    const payload = encoded(productClaims({ note: 'x'.repeat(length) }));
    if (payload.length % 4 === 0) continue;
    const signingInput = `${encoded(header(issuer))}.${leftOver(payload)}`;
    return `${signingInput}.${rs256(issuer)(Buffer.from(signingInput)).toString('base64url')}`;
  }
}

function signatures(issuer: VectorKey): ProofCase[] {
  const jwt = proof(issuer);
  const [head, payload, signature] = parts(jwt);
  const bytes = Buffer.from(signature, 'base64url');
  const flipped = Buffer.from(bytes);
  flipped[100] = (flipped[100] ?? 0) ^ 1;
  const changed: [string, string, Buffer][] = [
    ['flipped-bit', 'One bit of the signature flipped', flipped],
    ['cut', 'The last byte of the signature missing', bytes.subarray(0, -1)],
    ['extended', 'A zero byte after the signature', Buffer.concat([bytes, Buffer.from([0])])],
    ['prefixed', 'A zero byte before the signature', Buffer.concat([Buffer.from([0]), bytes])],
    ['zero', 'A signature of zeros', Buffer.alloc(256)],
    ['one', 'A signature of the number 1', Buffer.concat([Buffer.alloc(255), Buffer.from([1])])],
    ['ones', 'A signature of ones', Buffer.alloc(256, 0xff)],
    ['short', 'A signature of one byte', Buffer.from([7])],
  ];
  const edited = encoded(productClaims({ domain: 'bargains.example' }));
  return [
    ...changed.map(
      ([id, title, forged]): ProofCase => ({
        id: `signature-${id}`,
        title,
        rules: ['CHECK-SIGNATURE', 'PROOF-RS256'],
        jwt: `${head}.${payload}.${forged.toString('base64url')}`,
        checks: { signatureValid: 'signature_mismatch' },
      }),
    ),
    {
      id: 'signature-edited-claims',
      title: 'One claim edited after signing',
      rules: ['CHECK-SIGNATURE', 'INTACT'],
      jwt: `${head}.${edited}.${signature}`,
      checks: { signatureValid: 'signature_mismatch' },
    },
    {
      id: 'signature-edited-header',
      title: 'The order of the header changed after signing',
      rules: ['CHECK-SIGNATURE'],
      jwt: `${encoded({ typ: 'product-certificate+jwt', kid: issuer.kid, alg: 'RS256' })}.${payload}.${signature}`,
      checks: { signatureValid: 'signature_mismatch' },
    },
    {
      id: 'signature-detached',
      title: 'The payload taken out (RFC 7515 appendix F)',
      rules: ['STRICT-JWS', 'CHECK-SIGNATURE', 'CHECK-INTEGRITY'],
      jwt: `${head}..${signature}`,
      checks: {
        signatureValid: 'signature_mismatch',
        certificateIntegrity: 'claims_unreadable',
        timestampValid: [null, 'claims_unreadable'],
      },
    },
    {
      id: 'signature-payload-spaced',
      title: 'Claims in another layout, signed as they are',
      rules: ['INTACT', 'CHECK-SIGNATURE'],
      jwt: compact(header(issuer), JSON.stringify(productClaims(), null, 2), rs256(issuer)),
    },
    {
      id: 'signature-header-spaced',
      title: 'A header in another order and layout, signed as it is',
      rules: ['CHECK-SIGNATURE'],
      jwt: compact(
        `{ "typ":"product-certificate+jwt",\n"kid":"${issuer.kid}", "alg":"RS\\u003256" }`,
        productClaims(),
        rs256(issuer),
      ),
    },
  ];
}

/** A valid proof of exactly this number of characters. */
function proofOfLength(issuer: VectorKey, length: number): string {
  for (let pad = Math.floor((length * 3) / 4) - 2000; pad < length; pad++) {
    const jwt = proof(issuer, { note: 'x'.repeat(pad) });
    if (jwt.length === length) return jwt;
    if (jwt.length > length) break;
  }
  throw new Error(`no proof of this header has ${length} characters`);
}

function sizes(issuer: VectorKey): ProofCase[] {
  const [head, payload, signature] = parts(proof(issuer));
  const rules = ['STRICT-JWS', 'LIMIT-SIZES'];
  const tooLarge = unreadable('proof_too_large');
  return [
    {
      id: 'size-8192',
      title: 'A sound proof of 8,192 characters',
      rules,
      jwt: proofOfLength(issuer, 8192),
    },
    {
      id: 'size-over-8192',
      title: 'A sound proof of a little more than 8,192 characters',
      rules,
      jwt: firstOver(issuer, 8192),
      checks: tooLarge,
    },
    {
      id: 'size-9-kb',
      title: 'A sound proof of 9 KB',
      rules,
      jwt: firstOver(issuer, 9 * 1024),
      checks: tooLarge,
    },
    {
      id: 'size-2-mb',
      title: 'A text of 2 MB in the form of a proof',
      rules,
      jwt: {
        $text: [head, '.', { repeat: payload, times: Math.ceil(2_097_152 / payload.length) }, '.', signature],
      },
      checks: tooLarge,
    },
    {
      id: 'size-many-dots',
      title: 'Nothing but 8,000 dots',
      rules,
      jwt: { $text: [{ repeat: '.', times: 8000 }] },
      checks: unreadable('proof_malformed'),
    },
    {
      id: 'size-deep-payload',
      title: 'Claims with a list 100 levels deep',
      rules: ['STRICT-JWS'],
      jwt: compact(
        header(issuer),
        JSON.stringify(productClaims()).replace('{', `{"x":${'['.repeat(100)}${']'.repeat(100)},`),
        rs256(issuer),
      ),
    },
  ];
}

/** The shortest padded proof with more than this number of characters. */
function firstOver(issuer: VectorKey, length: number): string {
  for (let pad = Math.floor((length * 3) / 4) - 2000; ; pad++) {
    const jwt = proof(issuer, { note: 'x'.repeat(Math.max(0, pad)) });
    if (jwt.length > length) return jwt;
  }
}
