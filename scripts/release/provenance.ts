import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

/** Media type of an in-toto statement, as DSSE signs it. */
const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A file by name and digest. */
export interface Digested {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

export interface Build {
  /** What is released. */
  readonly subject: readonly Digested[];
  readonly commit: string;
  /** Where the sources are, if that is known. */
  readonly source?: string | undefined;
  /** Who built: an address of a hosted builder, or the default for a machine that nobody vouches for. */
  readonly builder: string;
  readonly command: string;
  /** What went in beside the sources. */
  readonly materials: readonly Digested[];
  /** What came out beside the subject. */
  readonly byproducts: readonly Digested[];
  /** Programs whose versions show in the bytes. */
  readonly tools: Readonly<Record<string, string>>;
}

/**
 * A statement on how files were built: in-toto Statement v1 with the predicate SLSA Provenance v1. It contains no time and no number of the
 * run, so that two builds of one commit give the same bytes.
 */
export function provenanceStatement(build: Build): string {
  const { subject, commit, source, builder, command, materials, byproducts, tools } = build;
  return JSON.stringify({
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:touchstone:release:v1',
        externalParameters: { command },
        internalParameters: {},
        resolvedDependencies: [
          {
            name: 'sources',
            ...(source === undefined ? {} : { uri: `git+${source}` }),
            digest: { gitCommit: commit },
          },
          ...materials,
        ],
      },
      runDetails: { builder: { id: builder, version: tools }, byproducts },
    },
  });
}

/** A statement in a DSSE envelope v1, signed by an Ed25519 key. */
export function signedEnvelope(statement: string, pem: string): string {
  const signature = signBytes(preAuthenticated(statement), pem);
  return JSON.stringify({
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(statement).toString('base64'),
    signatures: [{ keyid: keyId(pem), sig: signature.toString('base64') }],
  });
}

/** What DSSE signs: type and content, each with its length (secure-systems-lab/dsse, protocol.md). */
function preAuthenticated(statement: string): Buffer {
  const body = Buffer.from(statement);
  return Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${body.length} `), body]);
}

/** @throws if the key is none of Ed25519 */
export function signBytes(bytes: Uint8Array, pem: string): Buffer {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`the key is of ${key.asymmetricKeyType}, not of Ed25519`);
  return sign(null, bytes, key);
}

/** SHA-256 of the public key, in DER. */
function keyId(pem: string): string {
  const der = createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex');
}
