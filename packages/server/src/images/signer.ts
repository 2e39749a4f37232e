import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '@touchstone/certificate';
import type { ImageInspection, ImageWorkers, ManifestSigner } from '@touchstone/image/node';
import { StartError } from '../platform/lifecycle/start-error.ts';
import type { SignerFiles } from '../platform/settings/config.ts';

/** The start is refused; the message says what to fix. */
export class SignerFileError extends StartError {}

/** Who signs images that carry no manifest of their own. */
export interface ImageSigner {
  readonly credentials: ManifestSigner;
  /** Made by this service for trying things out: on nobody's trust list. */
  readonly isDevelopment: boolean;
  /** When the signer's certificate ends, and every manifest that it signs without a time stamp. */
  readonly validUntil: Date;
}

/** When a signature ends whose time stamp is trusted: not with its certificate (C2PA 2.1, 15.8). */
export const NO_END = new Date('9999-12-31T00:00:00Z');

/** Anything for others, writing for the group: more than a mounted secret needs. */
const TOO_OPEN = 0o037;

/**
 * The chain that images are signed by: the operator's, else the development chain of this data folder, made at the
 * first start.
 *
 * @throws SignerFileError
 */
export async function openSigner(
  files: SignerFiles | undefined,
  dataDir: string,
  now: Date,
): Promise<ImageSigner> {
  if (files !== undefined) return { ...(await readSigner(files, now)), isDevelopment: false };
  const own = {
    certFile: join(dataDir, 'image-signer-development.crt.pem'),
    keyFile: join(dataDir, 'image-signer-development.key.pem'),
  };
  if (!(await isThere(own.keyFile)) || (await hasEnded(own.certFile, now))) {
    await makeDevelopmentFiles(own, now);
  }
  return { ...(await readSigner(own, now)), isDevelopment: true };
}

async function makeDevelopmentFiles({ certFile, keyFile }: SignerFiles, now: Date): Promise<void> {
  // loaded where one is made: not at every start
  const { developmentChain } = await import('./development-chain.ts');
  const signer = await developmentChain(now);
  // the key goes first and comes last: while it is missing, both are made anew
  await rm(keyFile, { force: true });
  await writePrivate(certFile, signer.certificateChainPem);
  await writePrivate(keyFile, signer.privateKeyPem);
}

async function writePrivate(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function readSigner({ certFile, keyFile }: SignerFiles, now: Date) {
  const certificateChainPem = await readText(certFile, 'the certificates that images are signed by');
  const privateKeyPem = await readText(keyFile, 'the private key that images are signed with');
  const mode = (await stat(keyFile)).mode & 0o777;
  if ((mode & TOO_OPEN) !== 0) {
    throw new SignerFileError(
      `The private key that images are signed with (${keyFile}) is open to others (mode ${mode.toString(8).padStart(4, '0')}): run "chmod 600 ${keyFile}"`,
    );
  }
  const key = parsed(() => createPrivateKey(privateKeyPem), `${keyFile} holds no private key in PEM`);
  const leaf = parsed(
    () => new X509Certificate(certificateChainPem),
    `${certFile} holds no certificate in PEM; the signer's own comes first`,
  );
  if (!leaf.checkPrivateKey(key)) {
    throw new SignerFileError(`${keyFile} is not the key of the first certificate in ${certFile}`);
  }
  if (leaf.validToDate < now) {
    throw new SignerFileError(`the first certificate in ${certFile} expired on ${leaf.validTo}: renew it`);
  }
  const credentials: ManifestSigner = {
    certificateChainPem,
    privateKeyPem,
    algorithm: algorithmOf(key, keyFile),
  };
  return { credentials, validUntil: leaf.validToDate };
}

const CURVES = new Map([
  ['prime256v1', 'es256'],
  ['secp384r1', 'es384'],
  ['secp521r1', 'es512'],
] as const);

/** Algorithms of C2PA signatures (C2PA 2.1, 13.2.1). */
function algorithmOf(key: KeyObject, keyFile: string): ManifestSigner['algorithm'] {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'ed25519') return 'ed25519';
  if (type === 'rsa' || type === 'rsa-pss') return 'ps256';
  for (const [curve, algorithm] of CURVES)
    if (type === 'ec' && details?.namedCurve === curve) return algorithm;
  throw new SignerFileError(
    `${keyFile}: manifests are signed by EC (P-256, P-384, P-521), RSA or Ed25519 keys`,
  );
}

/**
 * Signs a tiny picture and reads it back, so that a chain that cannot sign is found at the start and not at the first image
 * of a shop.
 *
 * @throws SignerFileError with the engine's reasons and what to do
 */
export async function tryToSign(
  { credentials }: ImageSigner,
  files: SignerFiles | undefined,
  workers: Pick<ImageWorkers, 'sign' | 'inspect'>,
): Promise<ImageInspection> {
  try {
    const manifest = { title: 'A test', claimGenerator: { name: 'Touchstone', version: VERSION } };
    const signed = await workers.sign(TEST_PICTURE, { ...manifest, ...PUBLISHED }, credentials);
    return await workers.inspect(signed);
  } catch (error) {
    const chain = files === undefined ? 'the development chain in the data folder' : files.certFile;
    throw new SignerFileError(`A test picture cannot be signed by ${chain}: ${messageOf(error)} ${ADVICE}`, {
      cause: error,
    });
  }
}

const ADVICE =
  'Images need a chain of the C2PA certificate profile (C2PA 2.1, 14.5.1): a leaf that is no authority, with key usage digitalSignature and the extended key usage emailProtection, documentSigning or C2PA signing, then its intermediates, each before its issuer, all of them in force.';

const PUBLISHED = { actions: [{ action: 'c2pa.published' }], assertions: [] };

/** A PNG of one grey pixel. */
const TEST_PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Ours to replace, unlike an operator's. What cannot be read is for the reading to refuse. */
async function hasEnded(certFile: string, now: Date): Promise<boolean> {
  const text = await readFile(certFile, 'utf8').catch(() => '');
  return (
    text !== '' &&
    parsed(() => new X509Certificate(text).validToDate, `${certFile} holds no certificate in PEM`) < now
  );
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new SignerFileError(`${path} (${what}) cannot be read: ${String(error)}`, { cause: error });
  }
}

function parsed<T>(parse: () => T, message: string): T {
  try {
    return parse();
  } catch (error) {
    throw new SignerFileError(message, { cause: error });
  }
}
