import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { ManifestSigner } from '@touchstone/image/node';

/** Part of all subjects of a development chain, so that it cannot be mistaken for a trusted one. */
export const DEVELOPMENT_LABEL = 'Touchstone development, untrusted';

const KEY = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' };
/**
 * Seconds: 10 years. Without a time stamp a manifest stops validating when its certificate ends, so this is how long development
 * signatures last.
 */
const LIFETIME = 10 * 365 * 86_400;
/** Extended key usages that the C2PA certificate profile permits a signer: e-mail protection, and signing claims. */
const PURPOSES = ['1.3.6.1.5.5.7.3.4', '1.3.6.1.4.1.62558.2.1'];

/**
 * A chain for signing manifests until the operator supplies one: a new authority and a signer, conforming to the C2PA
 * certificate profile (C2PA 14.5.1). It is on no trust list.
 *
 * @param lifetime seconds
 */
export async function developmentChain(now: Date, lifetime: number = LIFETIME): Promise<ManifestSigner> {
  const authorityKeys = await newKeys();
  const signerKeys = await newKeys();
  const notAfter = new Date(now.getTime() + lifetime * 1000);
  const period = { notBefore: now, notAfter, signingAlgorithm: SIGNATURE };
  const authorityName = `CN=${quoted('authority')}, O=${quoted()}`;
  const authority = await X509CertificateGenerator.create({
    ...period,
    subject: authorityName,
    issuer: authorityName,
    publicKey: authorityKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: await extensionsOf(authorityKeys, authorityKeys, true),
  });
  const signer = await X509CertificateGenerator.create({
    ...period,
    subject: `CN=${quoted('signer')}, O=${quoted()}`,
    issuer: authorityName,
    publicKey: signerKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: await extensionsOf(signerKeys, authorityKeys, false),
  });
  return {
    certificateChainPem: [signer, authority].map(pemOf).join(''),
    privateKeyPem: pem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', signerKeys.privateKey)),
    algorithm: 'es256',
  };
}

function newKeys() {
  return crypto.subtle.generateKey(KEY, true, ['sign', 'verify']);
}

/** Quoted, since the label contains a comma (RFC 4514). */
function quoted(role?: string): string {
  return `"${DEVELOPMENT_LABEL}${role === undefined ? '' : ` (${role})`}"`;
}

async function extensionsOf(
  own: CryptoKeyPair,
  issuer: CryptoKeyPair,
  isAuthority: boolean,
): Promise<Extension[]> {
  const usage = isAuthority
    ? KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign
    : KeyUsageFlags.digitalSignature;
  return [
    new BasicConstraintsExtension(isAuthority, undefined, true),
    new KeyUsagesExtension(usage, true),
    ...(isAuthority ? [] : [new ExtendedKeyUsageExtension(PURPOSES, true)]),
    await SubjectKeyIdentifierExtension.create(own.publicKey),
    await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
  ];
}

function pemOf(certificate: X509Certificate): string {
  return pem('CERTIFICATE', certificate.rawData);
}

function pem(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
