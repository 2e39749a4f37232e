import { certificate, documentVector, proofVector } from './builder.ts';
import { type Keys, rsaKey, type VectorKey } from './keys.ts';
import { node, PATH, page, pageVector } from './pages.ts';
import { profileVector } from './profiles.ts';
import { issuerKeySet, jwksOf, type Theme } from './theme.ts';
import { ISSUER, proof } from './tokens.ts';

const OTHER = 'https://other-certificates.example';
const RULES = ['KEYS-BY-ISSUER', 'AUTH-3-KID', 'AUTH-3-ISS'];

/** Two trusted issuers, each with its own key set: a key verifies nothing in the name of the other. */
export function issuers(keys: Keys): Theme {
  const others: Signer = { key: rsaKey('other-2026-03'), iss: OTHER };
  const sameName: Signer = { key: keys.impostor, iss: OTHER };
  const first: Signer = { key: keys.issuer, iss: ISSUER };
  return {
    name: 'issuers',
    about: 'Two trusted issuers with their own key sets, some with keys of one name, and proofs of each.',
    jwks: { issuer: issuerKeySet(keys), other: jwksOf(others.key), 'other-same-name': jwksOf(keys.impostor) },
    vectors: [
      ...genuine('of-the-first', 'A proof of the first issuer', first, 'other'),
      ...genuine('of-the-other', 'A proof of the other issuer', others, 'other'),
      ...genuine('of-the-first-same-name', 'The same, if both keys have one name', first, 'other-same-name'),
      ...genuine(
        'of-the-other-same-name',
        'Of the other issuer, if both keys have one name',
        sameName,
        'other-same-name',
      ),
      ...crossed('of-the-other-as-the-first', 'The other issuer’s key in the name of the first', {
        signer: { ...others, iss: ISSUER },
        other: 'other',
        reason: 'key_unknown',
      }),
      ...crossed('of-the-other-as-the-first-same-name', 'The same, if both keys have one name', {
        signer: { ...sameName, iss: ISSUER },
        other: 'other-same-name',
        reason: 'signature_mismatch',
      }),
      ...crossed('of-the-first-as-the-other', 'The first issuer’s key in the name of the other', {
        signer: { ...first, iss: OTHER },
        other: 'other',
        reason: 'key_unknown',
      }),
      ...crossed('of-the-first-as-the-other-same-name', 'The same, if both keys have one name', {
        signer: { ...first, iss: OTHER },
        other: 'other-same-name',
        reason: 'signature_mismatch',
      }),
      ofNobody(first),
    ],
  };
}

interface Signer {
  readonly key: VectorKey;
  /** The issuer named in the proof. */
  readonly iss: string;
}

const trusted = { issuers: [ISSUER, OTHER] };
/** Nothing but the proof: no image. */
const bytesNotGiven = {
  imageBound: [null, 'image_not_given'],
  c2paValid: [null, 'image_not_given'],
} as const;

/** On a page that names the issuer of the proof as its source. */
function pageOf(jwt: string, iss: string): string {
  return page(node(jwt, { 'svc:status': { canonicalSource: { url: iss + PATH, httpMethod: 'GET' } } }));
}

function genuine(id: string, title: string, { key, iss }: Signer, other: string): Theme['vectors'] {
  const jwt = proof(key, { iss });
  const head = { title, rules: RULES };
  const vectors = [
    documentVector({
      ...head,
      id: `issuers-${id}`,
      document: certificate(jwt),
      context: trusted,
      status: 'verified',
    }),
    proofVector({ ...head, ...trusted, id: `issuers-proof-${id}`, jwt }),
    pageVector({
      ...head,
      ...trusted,
      id: `issuers-${id}`,
      html: pageOf(jwt, iss),
      verdict: 'verified',
      checks: {},
    }),
    profileVector({
      ...head,
      id: `issuers-profile-${id}`,
      document: certificate(jwt),
      image: null,
      context: { ...trusted, certificateKind: 'product' },
      profiles: ['trusted', 'trusted', 'undetermined'],
      checks: bytesNotGiven,
    }),
  ];
  return vectors.map((vector) => ({ ...vector, jwksByIssuer: { [OTHER]: other } }));
}

function crossed(
  id: string,
  title: string,
  { signer: { key, iss }, other, reason }: { signer: Signer; other: string; reason: string },
): Theme['vectors'] {
  const jwt = proof(key, { iss });
  const head = { title, rules: RULES };
  const checks = { signatureValid: reason, certificateIntegrity: [null, 'document_not_compared'] } as const;
  const vectors = [
    documentVector({
      ...head,
      id: `issuers-${id}`,
      document: certificate(jwt),
      context: trusted,
      status: 'failed',
      checks,
    }),
    proofVector({ ...head, ...trusted, id: `issuers-proof-${id}`, jwt, checks: { signatureValid: reason } }),
    pageVector({
      ...head,
      ...trusted,
      id: `issuers-${id}`,
      html: pageOf(jwt, iss),
      verdict: 'checks_failed',
      checks: { signatureValid: false, certificateIntegrity: null },
      errors: [reason],
    }),
    profileVector({
      ...head,
      id: `issuers-profile-${id}`,
      document: certificate(jwt),
      image: null,
      context: { ...trusted, certificateKind: 'product' },
      profiles: ['untrusted', 'untrusted', 'untrusted'],
      checks: { ...checks, ...bytesNotGiven },
    }),
  ];
  return vectors.map((vector) => ({ ...vector, jwksByIssuer: { [OTHER]: other } }));
}

/** With several key sets there is none to check the signature of a third issuer with. */
function ofNobody({ key }: Signer): Theme['vectors'][number] {
  const untrusted = 'issuer_untrusted';
  const vector = documentVector({
    id: 'issuers-of-a-third',
    title: 'The first issuer’s key in the name of an issuer that is not trusted',
    rules: RULES,
    document: certificate(proof(key, { iss: 'https://third-certificates.example' })),
    context: trusted,
    status: 'failed',
    checks: { signatureValid: untrusted, certificateIntegrity: untrusted },
  });
  return { ...vector, jwksByIssuer: { [OTHER]: 'other' } };
}
