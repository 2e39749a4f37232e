import { bareCertificate, certificate, type DocumentCase, documentVector, nothingSigned } from './builder.ts';
import type { Keys } from './keys.ts';
import { issuerKeySet, type Theme } from './theme.ts';
import { OTHER_PRODUCT_ID, PAGE_URL, PRODUCT_ID, proof } from './tokens.ts';

/** Values in the place of a document, and repetitions of signed claims in a document. */
export function oddDocuments(keys: Keys): Theme {
  const jwt = proof(keys.issuer);
  return {
    name: 'documents',
    about: 'Documents of every odd kind, and documents that repeat what was signed, rightly or wrongly.',
    jwks: { issuer: issuerKeySet(keys) },
    vectors: [...texts(jwt), ...dropped(jwt), ...withoutProof(), ...repeated(jwt), ...ignored(jwt)].map(
      documentVector,
    ),
  };
}

function texts(jwt: string): DocumentCase[] {
  return [
    {
      id: 'text-of-node',
      title: 'A text that holds the node',
      rules: ['VERIFY-4'],
      document: JSON.stringify(certificate(jwt)),
      status: 'verified',
    },
    {
      id: 'text-of-node-spaced',
      title: 'A text that holds the node, with white space about it',
      rules: ['VERIFY-4'],
      document: `\n\t ${JSON.stringify(certificate(jwt), null, 2)}\r\n`,
      status: 'verified',
    },
    {
      id: 'text-of-node-without-proof',
      title: 'A text that holds a node without a proof',
      rules: ['VERIFY-4', 'VERIFY-3'],
      document: JSON.stringify({ '@type': 'Product', productID: PRODUCT_ID }),
      status: 'unverified',
      checks: nothingSigned,
      warnings: ['proof_absent'],
    },
  ];
}

function dropped(jwt: string): DocumentCase[] {
  const node = certificate(jwt);
  const text = JSON.stringify(node);
  const notOneNode: [string, string, unknown][] = [
    ['array', 'A list of one node', [node]],
    ['array-empty', 'An empty list', []],
    ['graph', 'A graph with the node in it', { '@context': 'https://schema.org', '@graph': [node] }],
    ['graph-beside-node', 'A node that carries a graph too', { ...node, '@graph': [] }],
    ['number', 'A number', 42],
    ['true', 'True', true],
    ['false', 'False', false],
    ['text-of-array', 'A text that holds a list of one node', `[${text}]`],
    ['text-of-graph', 'A text that holds a graph', JSON.stringify({ '@graph': [node] })],
    ['text-of-text', 'A text of a text of the node: read once, not twice', JSON.stringify(text)],
    ['text-of-null', 'The text null', 'null'],
    ['text-of-number', 'The text 7', '7'],
  ];
  const notJson: [string, string, string][] = [
    ['empty-text', 'An empty text', ''],
    ['blank-text', 'A text of white space', ' \n '],
    ['prose', 'A text that is no JSON', 'certificate'],
    ['cut-text', 'The text of the node, cut', text.slice(0, -1)],
    ['two-nodes-in-text', 'Two nodes one after the other', text + text],
    ['html', 'The script element around the node', `<script type="application/ld+json">${text}</script>`],
    ['bare-jwt', 'The proof by itself', jwt],
  ];
  const rules = ['VERIFY-5', 'VERIFY-ODD', 'VV-UNVERIFIED', 'ERR-NOT-DOCUMENT'];
  const status = 'unverified';
  const checks = nothingSigned;
  return [
    {
      id: 'document-null',
      title: 'null is a document left out',
      rules: ['VERIFY-1', 'VERIFY-ODD'],
      document: null,
      status,
      checks,
    },
    ...notOneNode.map(
      ([id, title, document]): DocumentCase => ({
        id: `document-${id}`,
        title,
        rules,
        document,
        status,
        checks,
        warnings: ['document_not_single_node'],
      }),
    ),
    ...notJson.map(
      ([id, title, document]): DocumentCase => ({
        id: `document-${id}`,
        title,
        rules: [...rules, 'VERIFY-4'],
        document,
        status,
        checks,
        warnings: ['document_not_json'],
      }),
    ),
  ];
}

function withoutProof(): DocumentCase[] {
  const identity = certificate(undefined, { proof: undefined });
  const cases: [string, string, unknown][] = [
    ['identity-only', 'The identity-only document of a product that is not active', identity],
    ['empty-node', 'An empty node', {}],
    ['proof-null', 'A proof that is null', { ...identity, proof: null }],
    ['proof-text', 'A proof that is a text', { ...identity, proof: 'a.b.c' }],
    ['proof-array', 'A proof in a list', { ...identity, proof: [{ jwt: 'a.b.c' }] }],
    ['proof-without-jwt', 'A proof without jwt', { ...identity, proof: { type: 'JsonWebSignature2020' } }],
    ['jwt-null', 'A jwt that is null', { ...identity, proof: { jwt: null } }],
    ['jwt-number', 'A jwt that is a number', { ...identity, proof: { jwt: 7 } }],
    ['jwt-array', 'A jwt in a list', { ...identity, proof: { jwt: ['a.b.c'] } }],
    ['jwt-object', 'A jwt that is an object', { ...identity, proof: { jwt: { protected: 'a' } } }],
    ['says-verified', 'A node that says of itself that it is verified', { status: 'verified', checks: {} }],
  ];
  return cases.map(([id, title, document]) => ({
    id: `no-proof-${id}`,
    title,
    rules: ['VERIFY-3', 'SD-JWT', 'SD-OPTIONAL', 'VV-UNVERIFIED', 'VERIFY-ODD'],
    document,
    status: 'unverified',
    checks: nothingSigned,
    warnings: ['proof_absent'],
  }));
}

function repeated(jwt: string): DocumentCase[] {
  const rules = ['SD-REPEATS', 'INTACT'];
  const differs: [string, string, Record<string, unknown>][] = [
    ['product-id', 'Another productID', { productID: OTHER_PRODUCT_ID }],
    ['product-id-type', 'A productID that is a number', { productID: 7 }],
    ['product-id-empty', 'An empty productID', { productID: '' }],
    ['url', 'Another url', { url: 'https://shop.example/products/teapot' }],
    ['url-relative', 'A relative url', { url: '/products/kettle' }],
    ['url-scheme', 'The url by http', { url: 'http://shop.example/products/kettle' }],
    [
      'issued-for-domain',
      'Issued for another domain',
      { 'svc:issuedFor': { domain: 'bargains.example', productID: PRODUCT_ID } },
    ],
    [
      'issued-for-product',
      'Issued for another product',
      { 'svc:issuedFor': { domain: 'shop.example', productID: OTHER_PRODUCT_ID } },
    ],
    ['issued-for-text', 'svc:issuedFor that is a text', { 'svc:issuedFor': 'shop.example' }],
    ['issued-for-list', 'svc:issuedFor that is a list', { 'svc:issuedFor': [{ domain: 'shop.example' }] }],
  ];
  const same: [string, string, Record<string, unknown>][] = [
    ['url-tracking', 'The same url with a tracking parameter', { url: `${PAGE_URL}?utm_source=mail` }],
    ['url-slash', 'The same url with a slash at its end', { url: `${PAGE_URL}/` }],
    ['product-id-case', 'productID in upper case', { productID: PRODUCT_ID.toUpperCase() }],
    ['domain-case', 'The domain in capitals', { 'svc:issuedFor': { domain: 'SHOP.EXAMPLE' } }],
    ['domain-dot', 'The domain with a dot at its end', { 'svc:issuedFor': { domain: 'shop.example.' } }],
    ['nulls', 'null repeats nothing', { productID: null, url: null, 'svc:issuedFor': null }],
  ];
  return [
    ...differs.map(
      ([id, title, changes]): DocumentCase => ({
        id: `repeats-wrong-${id}`,
        title,
        rules,
        document: certificate(jwt, changes),
        status: 'failed',
        checks: { certificateIntegrity: 'document_differs' },
      }),
    ),
    ...same.map(
      ([id, title, changes]): DocumentCase => ({
        id: `repeats-right-${id}`,
        title,
        rules,
        document: certificate(jwt, changes),
        status: 'verified',
      }),
    ),
    {
      id: 'trust-block-differs',
      title: 'Shows more coverage than was signed: unknown keys are ignored, with a warning',
      rules: ['SD-UNKNOWN', 'INTACT', 'PC-R1-SIGNED'],
      document: certificate(jwt, {
        'svc:trust': { certifiedAssets: 4, totalAssets: 4, coveragePercent: 100 },
      }),
      status: 'verified',
      warnings: ['trust_block_differs'],
    },
    {
      id: 'trust-block-same',
      title: 'Shows the coverage that was signed, and one value of it only',
      rules: ['SD-UNKNOWN', 'INTACT'],
      document: certificate(jwt, { 'svc:trust': { certifiedAssets: 3 } }),
      status: 'verified',
    },
    {
      id: 'trust-block-null',
      title: 'Shows null in place of the coverage: shows nothing',
      rules: ['SD-UNKNOWN', 'INTACT'],
      document: certificate(jwt, { 'svc:trust': null }),
      status: 'verified',
    },
    {
      id: 'trust-block-text',
      title: 'Shows a text in place of the coverage',
      rules: ['SD-UNKNOWN', 'INTACT'],
      document: certificate(jwt, { 'svc:trust': 'everything' }),
      status: 'verified',
      warnings: ['trust_block_differs'],
    },
  ];
}

function ignored(jwt: string): DocumentCase[] {
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
  const cases: [string, string, unknown][] = [
    ['claims', 'Claims of its own', { ...certificate(jwt), domain: 'bargains.example', exp: 1 }],
    ['verdict', 'A verdict of its own', { ...certificate(jwt), status: 'failed', signatureValid: false }],
    ['type', 'Another @type', { ...certificate(jwt), '@type': ['Thing', 7] }],
    ['nul', 'NUL in a text', { ...certificate(jwt), name: 'a\u0000b' }],
    ['surrogate', 'A lone surrogate in a text', { ...certificate(jwt), name: 'a\ud800b' }],
    ['deep', 'A list 200 levels deep', { ...certificate(jwt), extra: JSON.parse(deep) }],
    [
      'proof-members',
      'Unknown members of the proof',
      { ...bareCertificate(jwt), proof: { jwt, alg: 'none', kid: 'x' } },
    ],
    [
      'context',
      'A context of its own, which nobody fetches',
      { ...certificate(jwt), '@context': 'https://bargains.example/context' },
    ],
    [
      'jwks',
      'A key set of its own, which nobody reads',
      { ...certificate(jwt), jwks: { keys: [] }, jwksUrl: 'https://bargains.example/jwks' },
    ],
  ];
  return [
    ...cases.map(
      ([id, title, document]): DocumentCase => ({
        id: `ignored-${id}`,
        title,
        rules: ['SD-UNKNOWN', 'VERIFY-6', 'AUTH-NO-FOLLOW'],
        document,
        status: 'verified',
      }),
    ),
    {
      id: 'ignored-proto',
      title: 'A member called __proto__, in a text',
      rules: ['SD-UNKNOWN', 'VERIFY-4'],
      document: `{"__proto__":{"productID":"x"},${JSON.stringify(certificate(jwt)).slice(1)}`,
      status: 'verified',
    },
    {
      id: 'proto-is-no-proof',
      title: 'A proof hidden under __proto__, in a text',
      rules: ['VERIFY-3', 'VERIFY-ODD'],
      document: `{"@type":"Product","__proto__":${JSON.stringify(bareCertificate(jwt))}}`,
      status: 'unverified',
      checks: nothingSigned,
      warnings: ['proof_absent'],
    },
  ];
}
