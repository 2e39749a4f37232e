import { bareCertificate, certificate, type DocumentCase, documentVector, nothingSigned } from './builder.ts';
import type { Keys } from './keys.ts';
import { issuerKeySet, jwksOf, type Theme } from './theme.ts';
import {
  compact,
  DAY,
  header,
  ISSUED_AT,
  ISSUER,
  NOW,
  OTHER_PRODUCT_ID,
  PAGE_URL,
  PRODUCT_ID,
  proof,
  rs256,
  WEEK,
} from './tokens.ts';

/** The three verdicts, every check failing alone, and who may issue. */
export function verdicts(keys: Keys): Theme {
  const cases = [
    ...sound(keys),
    ...eachCheckAlone(keys),
    ...claimsOfBindings(keys),
    ...withoutClaims(keys),
    ...copies(keys),
    ...issuers(keys),
    ...states(keys),
  ];
  return {
    name: 'verdicts',
    about: 'The three verdicts, each check false alone, copies, issuers, and states of the product.',
    jwks: {
      issuer: issuerKeySet(keys),
      stranger: jwksOf(keys.stranger),
      both: jwksOf(keys.issuer, keys.stranger),
    },
    vectors: cases.map(documentVector),
  };
}

function sound({ issuer, next }: Keys): DocumentCase[] {
  const jwt = proof(issuer);
  return [
    {
      id: 'sound',
      title: 'A sound certificate on its own page',
      rules: ['VV-VERIFIED', 'VERIFY-2', 'VERIFY-7', 'AUTH-5-STANDARD', 'AUTH-6', 'VR-STATUS', 'VR-CHECKS'],
      document: certificate(jwt),
      status: 'verified',
    },
    {
      id: 'sound-full-document',
      title: 'The whole document as the service issues it',
      rules: ['VV-VERIFIED', 'SD-UNKNOWN'],
      document: fullDocument(jwt),
      status: 'verified',
    },
    {
      id: 'sound-second-key',
      title: 'Signed with the other key of the set: the kid selects',
      rules: ['AUTH-3-KID'],
      document: certificate(proof(next)),
      status: 'verified',
    },
    {
      id: 'sound-nothing-repeated',
      title: 'A node of the proof alone: what is not repeated cannot differ',
      rules: ['SD-OPTIONAL', 'SD-REPEATS'],
      document: bareCertificate(jwt),
      status: 'verified',
    },
    {
      id: 'sound-signed-product-id-upper-case',
      title: 'The signed productId in upper case',
      rules: ['CHECK-PRODUCT'],
      document: bareCertificate(proof(issuer, { productId: PRODUCT_ID.toUpperCase() })),
      status: 'verified',
    },
    {
      id: 'sound-no-images',
      title: 'A product without images: 0 of 0 is 0',
      rules: ['PC-PERCENT-PRECISION', 'INTACT'],
      document: certificate(proof(issuer, { certifiedAssets: 0, totalAssets: 0, coveragePercent: 0 })),
      context: { registry: { coverage: { certifiedAssets: 0, totalAssets: 0, coveragePercent: 0 } } },
      status: 'verified',
    },
    {
      id: 'sound-all-certified',
      title: 'Every image certified: 100 percent',
      rules: ['PC-R1-PERCENT', 'INTACT'],
      document: certificate(proof(issuer, { certifiedAssets: 4, totalAssets: 4, coveragePercent: 100 })),
      context: { registry: { coverage: { certifiedAssets: 4, totalAssets: 4, coveragePercent: 100 } } },
      status: 'verified',
    },
    {
      id: 'sound-product-id-upper-case',
      title: 'The product asked for in upper case: UUIDs compare without case',
      rules: ['CHECK-PRODUCT'],
      document: certificate(jwt),
      context: { productId: PRODUCT_ID.toUpperCase() },
      status: 'verified',
    },
  ];
}

function fullDocument(jwt: string) {
  const url = `${ISSUER}/api/v1/mc4p/products/${PRODUCT_ID}/certificate`;
  const description = 'Canonical source for this certificate.';
  const canonicalSource = { '@type': 'EntryPoint', description, url, httpMethod: 'GET' };
  return {
    '@context': ['https://schema.org', { svc: `${ISSUER}/ns#` }],
    ...certificate(jwt),
    'svc:status': { canonicalSource },
    'svc:record': { recordUrl: url, recordUrlMethod: 'GET', recordId: PRODUCT_ID },
    'svc:images': [],
    additionalProperty: [{ '@type': 'PropertyValue', name: 'sku', value: 'K7' }],
    'svc:trust': { certifiedAssets: 3, totalAssets: 4, coveragePercent: 75 },
    verification: { canonicalSource, hasSignature: true, mcp: { tool: 'verify_svc_certificate' } },
  };
}

function eachCheckAlone({ issuer, impostor }: Keys): DocumentCase[] {
  const jwt = proof(issuer);
  return [
    {
      id: 'alone-signature',
      title: 'signatureValid false alone: the right claims, signed by somebody else under the same kid',
      rules: ['CHECK-SIGNATURE', 'VV-FAILED', 'CHECK-FALSE', 'VR-ERRORS'],
      document: bareCertificate(proof(impostor)),
      status: 'failed',
      checks: { signatureValid: 'signature_mismatch' },
    },
    {
      id: 'forged-not-compared',
      title: 'What a document repeats is not compared with a proof whose signature is not valid',
      rules: ['CHECK-SIGNATURE', 'CHECK-INTEGRITY', 'CHECK-NULL'],
      document: certificate(proof(impostor), { productID: OTHER_PRODUCT_ID }),
      status: 'failed',
      checks: {
        signatureValid: 'signature_mismatch',
        certificateIntegrity: [null, 'document_not_compared'],
      },
    },
    {
      id: 'alone-integrity',
      title: 'certificateIntegrity false alone: the document names another product than its proof',
      rules: ['CHECK-INTEGRITY', 'VV-FAILED', 'SD-REPEATS', 'INTACT'],
      document: certificate(jwt, { productID: OTHER_PRODUCT_ID }),
      status: 'failed',
      checks: { certificateIntegrity: 'document_differs' },
    },
    {
      id: 'alone-time',
      title: 'timestampValid false alone: past its 7 days',
      rules: ['CHECK-TIME', 'VV-FAILED', 'IN-RANGE'],
      document: certificate(jwt),
      context: { now: ISSUED_AT + WEEK + DAY },
      status: 'failed',
      checks: { timestampValid: 'proof_expired' },
    },
    {
      id: 'alone-domain',
      title: 'boundToDomain false alone: the signed page is right, the signed domain is another one',
      rules: ['CHECK-DOMAIN', 'VV-FAILED', 'AUTH-4-DOMAIN'],
      document: bareCertificate(proof(issuer, { domain: 'outlet.example' })),
      context: { registry: { domains: [{ hostname: 'shop.example', verified: true }] } },
      status: 'failed',
      checks: { boundToDomain: 'another_address_of_shop' },
    },
    {
      id: 'alone-product',
      title: 'productIdMatches false alone: asked about another product',
      rules: ['CHECK-PRODUCT', 'VV-FAILED'],
      document: certificate(jwt),
      context: { productId: OTHER_PRODUCT_ID },
      status: 'failed',
      checks: { productIdMatches: 'product_differs', trustDataCurrent: [null, 'product_differs'] },
    },
    {
      id: 'alone-url',
      title: 'boundToUrl false alone: another page of the same shop',
      rules: ['CHECK-URL', 'VV-FAILED', 'AUTH-4-URL', 'EQ-URL'],
      document: certificate(jwt),
      context: { pageUrl: 'https://shop.example/products/teapot' },
      status: 'failed',
      checks: { boundToUrl: 'url_differs' },
    },
    {
      id: 'alone-known',
      title:
        'domainKnown false (and with it domainVerified): the store has given up the domain; no verdict changes',
      rules: ['CHECK-KNOWN', 'VV-ADVISORY', 'KNOWN-DOMAIN'],
      document: certificate(jwt),
      context: { registry: { domains: [{ hostname: 'new.example', verified: true }] } },
      status: 'verified',
      checks: { domainKnown: 'domain_unknown', domainVerified: 'domain_unknown' },
    },
    {
      id: 'alone-verified',
      title: 'domainVerified false alone: the domain was never proven; no verdict changes',
      rules: ['CHECK-VERIFIED', 'VV-ADVISORY', 'KNOWN-DOMAIN', 'VR-WARNINGS'],
      document: certificate(jwt),
      context: { registry: { domains: [{ hostname: 'shop.example', verified: false }] } },
      status: 'verified',
      checks: { domainVerified: 'domain_unverified' },
    },
    {
      id: 'alone-current',
      title: 'trustDataCurrent false alone: an image was certified since; no verdict changes',
      rules: ['CHECK-CURRENT', 'VV-ADVISORY', 'PC-R1-SIGNED'],
      document: certificate(jwt),
      context: { registry: { coverage: { certifiedAssets: 4, totalAssets: 4, coveragePercent: 100 } } },
      status: 'verified',
      checks: { trustDataCurrent: 'coverage_changed' },
    },
  ];
}

/** Without a claim that a binding needs, there is nothing to compare: the certificate fails nevertheless. */
function claimsOfBindings({ issuer }: Keys): DocumentCase[] {
  const bindings = [
    ['domain', 'boundToDomain'],
    ['url', 'boundToUrl'],
    ['productId', 'productIdMatches'],
  ] as const;
  const odd: [string, unknown, string][] = [
    ['missing', undefined, 'claim_missing'],
    ['null', null, 'claim_wrong_type'],
    ['list', ['shop.example'], 'claim_wrong_type'],
  ];
  return bindings.flatMap(([claim, check]) =>
    odd.map(
      ([id, value, reason]): DocumentCase => ({
        id: `binding-${claim}-${id}`,
        title: `The claim ${claim} is ${id === 'missing' ? 'missing' : `a ${id}`}`,
        rules: ['INTACT', `CHECK-${{ domain: 'DOMAIN', url: 'URL', productId: 'PRODUCT' }[claim]}`],
        document: bareCertificate(proof(issuer, { [claim]: value })),
        status: 'failed',
        checks: {
          [check]: [null, reason],
          certificateIntegrity: reason,
          // the counts cannot be assigned to a product
          ...(claim === 'productId' ? { trustDataCurrent: [null, reason] } : {}),
        },
      }),
    ),
  );
}

/** Without claims, each check states the reason, and nothing is compared. */
function withoutClaims({ issuer }: Keys): DocumentCase[] {
  const compared = ['boundToUrl', 'boundToDomain', 'productIdMatches', 'trustDataCurrent'] as const;
  const none = (reason: string) =>
    Object.fromEntries(compared.map((name) => [name, [null, reason] as const]));
  const sealed = (payload: string) => compact(header(issuer), payload, rs256(issuer));
  const unreadable = (['unreadable', 'list', 'name-twice'] as const).map((id): DocumentCase => {
    const payload = { unreadable: 'claims', list: '[]', 'name-twice': '{"iss":"a","iss":"b"}' }[id];
    const reason = 'claims_unreadable';
    return {
      id: `claims-${id}`,
      title: `Signed, but the claims are ${{ unreadable: 'no JSON', list: 'a list', 'name-twice': 'an object with a name twice' }[id]}`,
      rules: ['CHECK-INTEGRITY', 'CHECK-URL', 'CHECK-DOMAIN', 'CHECK-PRODUCT'],
      document: bareCertificate(sealed(payload)),
      status: 'failed',
      checks: { ...none(reason), certificateIntegrity: reason, timestampValid: [null, reason] },
    };
  });
  const undecoded = (
    [
      ['malformed', 'A proof that is no JWS', 'proof_malformed', 'a.b'],
      ['too-large', 'A proof over 8 KB', 'proof_too_large', `${proof(issuer)}${'A'.repeat(8192)}`],
    ] as const
  ).map(
    ([id, title, reason, jwt]): DocumentCase => ({
      id: `undecoded-${id}`,
      title,
      rules: ['CHECK-INTEGRITY', 'CHECK-URL', 'CHECK-DOMAIN', 'CHECK-PRODUCT'],
      document: bareCertificate(jwt),
      status: 'failed',
      checks: {
        ...none(reason),
        signatureValid: reason,
        certificateIntegrity: reason,
        timestampValid: [null, reason],
      },
    }),
  );
  return [...unreadable, ...undecoded];
}

const foreign = {
  domainKnown: 'domain_unknown',
  domainVerified: 'domain_unknown',
  boundToUrl: 'url_differs',
  boundToDomain: 'domain_differs',
} as const;

function copies({ issuer }: Keys): DocumentCase[] {
  const jwt = proof(issuer);
  return [
    {
      id: 'copied',
      title: 'A sound certificate copied onto a page of another site',
      rules: ['CHECK-URL', 'CHECK-DOMAIN', 'KNOWN-DOMAIN'],
      document: certificate(jwt),
      context: { pageUrl: 'https://bargains.example/products/kettle' },
      status: 'failed',
      checks: foreign,
    },
    {
      id: 'copied-and-expired',
      title: 'Copied, and past its 7 days',
      rules: ['CHECK-URL', 'CHECK-TIME'],
      document: certificate(jwt),
      context: { pageUrl: 'https://bargains.example/products/kettle', now: NOW + 30 * DAY },
      status: 'failed',
      checks: { ...foreign, timestampValid: 'proof_expired' },
    },
    {
      id: 'copied-document-rewritten',
      title: 'Copied, with everything unsigned rewritten for the new site',
      rules: ['CHECK-URL', 'SD-REPEATS'],
      document: certificate(jwt, {
        url: 'https://bargains.example/products/kettle',
        'svc:issuedFor': { domain: 'bargains.example', productID: PRODUCT_ID },
      }),
      context: { pageUrl: 'https://bargains.example/products/kettle' },
      status: 'failed',
      checks: { ...foreign, certificateIntegrity: 'document_differs' },
    },
    {
      id: 'another-address-of-shop',
      title: 'The same shop under www: a mistake to mend, not a copy',
      rules: ['KNOWN-DOMAIN', 'EQ-HOST'],
      document: certificate(jwt),
      context: { pageUrl: 'https://www.shop.example/products/kettle' },
      status: 'failed',
      checks: { boundToUrl: 'url_differs', boundToDomain: 'another_address_of_shop' },
    },
    {
      id: 'host-lost',
      title: 'The genuine proof of a store on a host that another merchant has proven since',
      rules: ['HOST-LOST', 'CHECK-DOMAIN'],
      document: certificate(jwt),
      context: { registry: { domains: [], lostHosts: ['shop.example'], publishing: false } },
      status: 'failed',
      checks: { boundToDomain: 'host_lost', domainKnown: 'domain_unknown', domainVerified: 'domain_unknown' },
      warnings: ['product_not_publishing'],
    },
    {
      id: 'registry-stale',
      title:
        'A registry that cannot be reached, known from shortly before: the checks as usual, and a warning',
      rules: ['REGISTRY-STALE'],
      document: certificate(jwt),
      context: { registry: { stale: true } },
      status: 'verified',
      warnings: ['registry_stale'],
    },
    {
      id: 'host-lost-active',
      title: 'The same while the product publishes elsewhere, and its page is still known',
      rules: ['HOST-LOST'],
      document: certificate(jwt),
      context: { registry: { lostHosts: ['old.example', 'shop.example'] } },
      status: 'failed',
      checks: { boundToDomain: 'host_lost' },
    },
    {
      id: 'host-lost-elsewhere',
      title: 'The store has lost another host than that of the page',
      rules: ['HOST-LOST'],
      document: certificate(jwt),
      context: { registry: { lostHosts: ['www.shop.example', 'example'] } },
      status: 'verified',
    },
    {
      id: 'proof-of-another-product',
      title: 'The sound proof of another product of the same shop',
      rules: ['CHECK-PRODUCT', 'CHECK-URL'],
      document: bareCertificate(
        proof(issuer, { productId: OTHER_PRODUCT_ID, url: 'https://shop.example/products/teapot' }),
      ),
      status: 'failed',
      checks: {
        productIdMatches: 'product_differs',
        boundToUrl: 'url_differs',
        trustDataCurrent: [null, 'product_differs'],
      },
    },
  ];
}

function issuers({ issuer, stranger, impostor }: Keys): DocumentCase[] {
  const own = 'https://certificates.bargains.example';
  const strangersProof = proof(stranger, { iss: own });
  const rules = ['AUTH-3-ISS', 'INTACT'];
  const lookAlikes = [
    `${ISSUER}/`,
    'http://certificates.example',
    'https://Certificates.example',
    'https://certificates.example.bargains.example',
    'https://certificates.example@bargains.example',
    'https://certificates.example:443',
    'certificates.example',
    ' https://certificates.example',
    '',
  ];
  return [
    {
      id: 'self-made-issuer-own-keys',
      title: 'A self-made issuer, judged by its own good key set: sound, but nobody that is trusted',
      rules: [...rules, 'AUTH-NO-FOLLOW'],
      jwks: 'stranger',
      document: certificate(strangersProof),
      status: 'failed',
      checks: { certificateIntegrity: 'issuer_untrusted' },
    },
    {
      id: 'self-made-issuer-among-keys',
      title: 'A self-made issuer whose key stands beside that of the trusted one',
      rules,
      jwks: 'both',
      document: certificate(strangersProof),
      status: 'failed',
      checks: { certificateIntegrity: 'issuer_untrusted' },
    },
    {
      id: 'self-made-issuer',
      title: 'A self-made issuer, judged by the trusted key set',
      rules: [...rules, 'CHECK-SIGNATURE'],
      document: certificate(strangersProof),
      status: 'failed',
      checks: { signatureValid: 'key_unknown', certificateIntegrity: 'issuer_untrusted' },
    },
    {
      id: 'impostor-claims-the-issuer',
      title: 'Another key that claims the name of the issuer and of its key',
      rules: [...rules, 'CHECK-SIGNATURE'],
      document: certificate(proof(impostor)),
      status: 'failed',
      checks: {
        signatureValid: 'signature_mismatch',
        certificateIntegrity: [null, 'document_not_compared'],
      },
    },
    {
      id: 'nobody-trusted',
      title: 'A verifier that trusts no issuer at all',
      rules,
      document: certificate(proof(issuer)),
      context: { issuers: [] },
      status: 'failed',
      checks: { certificateIntegrity: 'issuer_untrusted' },
    },
    {
      id: 'former-issuer',
      title: 'A former base address that is still trusted',
      rules,
      document: certificate(proof(issuer, { iss: 'https://old-certificates.example' })),
      context: { issuers: [ISSUER, 'https://old-certificates.example'] },
      status: 'verified',
    },
    ...lookAlikes.map(
      (iss): DocumentCase => ({
        id: `issuer-look-alike-${iss === '' ? 'empty' : iss}`,
        title: `An issuer that is not quite the trusted one: “${iss}”`,
        rules,
        document: certificate(proof(issuer, { iss })),
        status: 'failed',
        checks: { certificateIntegrity: 'issuer_untrusted' },
      }),
    ),
  ];
}

function states({ issuer }: Keys): DocumentCase[] {
  const jwt = proof(issuer);
  return [
    {
      id: 'product-not-publishing',
      title: 'A product that is not active: the checks as usual, and a warning',
      rules: ['VERIFY-STATES'],
      document: certificate(jwt),
      context: { registry: { publishing: false } },
      status: 'verified',
      warnings: ['product_not_publishing'],
    },
    {
      id: 'nothing-submitted',
      title: 'No document: the domain checks alone',
      rules: ['VERIFY-1', 'VV-UNVERIFIED', 'VV-NO-DOCUMENT', 'CHECK-NULL', 'CHECK-SKIPPED'],
      status: 'unverified',
      checks: nothingSigned,
    },
    {
      id: 'nothing-submitted-foreign-site',
      title: 'No document, on a site that the store does not have',
      rules: ['VERIFY-1', 'VV-NO-DOCUMENT', 'CHECK-KNOWN'],
      context: { pageUrl: 'https://bargains.example/products/kettle' },
      status: 'unverified',
      checks: { ...nothingSigned, domainKnown: 'domain_unknown', domainVerified: 'domain_unknown' },
    },
    {
      id: 'nothing-submitted-unproven-domain',
      title: 'No document, on a domain that was never proven',
      rules: ['VERIFY-1', 'CHECK-VERIFIED'],
      context: { pageUrl: PAGE_URL, registry: { domains: [{ hostname: 'shop.example', verified: false }] } },
      status: 'unverified',
      checks: { ...nothingSigned, domainVerified: 'domain_unverified' },
    },
  ];
}
