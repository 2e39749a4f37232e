// Other libraries, each verifying its own credential about the same page. They are installed separately, with npm ci --prefix
// tools/verify-peers, and used from plain JavaScript since most of them have no types.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(new URL('../../tools/verify-peers/package.json', import.meta.url));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

const ISSUED = '2026-03-01T12:00:00Z';
const NAMESPACE = 'https://certificates.example/ns#';
/** The content of our proof, as the subject of a credential. */
const SUBJECT = {
  id: 'https://shop.example/products/cup',
  domain: 'shop.example',
  productId: '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6',
  externalProductId: 'cup-1',
  productName: 'Stoneware cup',
  storeName: 'The Shop',
  storeUrl: 'https://shop.example/',
  certifiedAssets: 1,
  totalAssets: 2,
  coveragePercent: 50,
};

/** A Data Integrity proof (eddsa-rdfc-2022), with its key and all contexts preloaded. */
export async function digitalbazaar() {
  const vc = await load('@digitalbazaar/vc');
  const { DataIntegrityProof } = await load('@digitalbazaar/data-integrity');
  const { cryptosuite } = await load('@digitalbazaar/eddsa-rdfc-2022-cryptosuite');
  const Ed25519Multikey = await load('@digitalbazaar/ed25519-multikey');
  const controller = 'https://certificates.example/issuer';
  const keyPair = await Ed25519Multikey.generate({ controller });
  keyPair.id = `${controller}#key`;
  const publicKey = await keyPair.export({ publicKey: true, includeContext: true });
  const documents = new Map([
    [publicKey.id, publicKey],
    [
      controller,
      { '@context': ['https://www.w3.org/ns/did/v1'], id: controller, assertionMethod: [publicKey] },
    ],
  ]);
  const documentLoader =
    vc.extendContextLoader?.(async (url) => loaded(documents, url)) ??
    (async (url) => (documents.has(url) ? loaded(documents, url) : vc.defaultDocumentLoader(url)));
  const terms = Object.fromEntries(
    Object.keys(SUBJECT)
      .filter((name) => name !== 'id')
      .map((name) => [name, NAMESPACE + name]),
  );
  const unsigned = {
    '@context': [
      'https://www.w3.org/ns/credentials/v2',
      { ...terms, ProductCertificate: `${NAMESPACE}ProductCertificate` },
    ],
    type: ['VerifiableCredential', 'ProductCertificate'],
    issuer: controller,
    validFrom: ISSUED,
    credentialSubject: SUBJECT,
  };
  const issue = () =>
    vc.issue({
      credential: structuredClone(unsigned),
      suite: new DataIntegrityProof({ signer: keyPair.signer(), cryptosuite, date: ISSUED }),
      documentLoader,
    });
  const suite = new DataIntegrityProof({ cryptosuite });
  const now = ISSUED;
  const credential = await issue();
  return {
    name: '@digitalbazaar/vc (Data Integrity, eddsa-rdfc-2022)',
    run: () => vc.verifyCredential({ credential, suite, documentLoader, now }),
    isGood: ({ verified }) => verified,
    issue,
    verify: async (given) =>
      (await vc.verifyCredential({ credential: given, suite, documentLoader, now })).verified,
  };
}

function loaded(documents, documentUrl) {
  if (!documents.has(documentUrl)) throw new Error(`${documentUrl} is not at hand`);
  return { contextUrl: null, documentUrl, document: documents.get(documentUrl) };
}

/** A credential as JWT (ES256K), with its DID document preloaded. */
export async function didJwtVc() {
  const { createVerifiableCredentialJwt, verifyCredential } = await load('did-jwt-vc');
  const { ES256KSigner, hexToBytes } = await load('did-jwt');
  const { getPublicKey } = createRequire(require.resolve('did-jwt'))('@noble/curves/secp256k1').secp256k1;
  const secret = hexToBytes('11'.repeat(32));
  const did = 'did:example:issuer';
  const didDocument = {
    id: did,
    verificationMethod: [
      {
        id: `${did}#key`,
        type: 'EcdsaSecp256k1VerificationKey2019',
        controller: did,
        publicKeyHex: Buffer.from(getPublicKey(secret)).toString('hex'),
      },
    ],
    assertionMethod: [`${did}#key`],
    authentication: [`${did}#key`],
  };
  const resolver = {
    resolve: async () => ({ didResolutionMetadata: {}, didDocumentMetadata: {}, didDocument }),
  };
  const payload = {
    sub: SUBJECT.id,
    nbf: Math.floor(Date.parse(ISSUED) / 1000),
    vc: {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiableCredential'],
      credentialSubject: SUBJECT,
    },
  };
  const issue = () =>
    createVerifiableCredentialJwt(payload, { did, signer: ES256KSigner(secret), alg: 'ES256K' });
  const jwt = await issue();
  return {
    name: 'did-jwt-vc (ES256K)',
    run: () => verifyCredential(jwt, resolver),
    isGood: ({ verified }) => verified,
    issue,
    verify: async (given) => (await verifyCredential(given, resolver)).verified,
  };
}
