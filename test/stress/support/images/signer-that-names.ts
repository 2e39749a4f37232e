import 'reflect-metadata';
import {
  AuthorityInfoAccessExtension,
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { ManifestSigner } from '@touchstone/image/node';

const KEY = { name: 'ECDSA', namedCurve: 'P-256' };

/** A signer whose certificate refers to `url` for its status, its issuer and its revocations. */
export async function signerThatNames(url: string): Promise<ManifestSigner> {
  const authorityKeys = await crypto.subtle.generateKey(KEY, true, ['sign', 'verify']);
  const signerKeys = await crypto.subtle.generateKey(KEY, true, ['sign', 'verify']);
  const day = 86_400_000;
  const terms = {
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + 30 * day),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    signingKey: authorityKeys.privateKey,
    issuer: 'CN=Naming authority, O=Nobody',
  };
  const authority = await X509CertificateGenerator.create({
    ...terms,
    subject: terms.issuer,
    publicKey: authorityKeys.publicKey,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  });
  const signer = await X509CertificateGenerator.create({
    ...terms,
    subject: 'CN=Naming signer, O=Nobody',
    publicKey: signerKeys.publicKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.4'], true),
      await AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
      new AuthorityInfoAccessExtension({ ocsp: `${url}ocsp`, caIssuers: `${url}issuer` }),
      new CRLDistributionPointsExtension([`${url}crl`]),
    ],
  });
  const privateKey = await crypto.subtle.exportKey('pkcs8', signerKeys.privateKey);
  return {
    certificateChainPem: `${signer.toString('pem')}\n${authority.toString('pem')}\n`,
    privateKeyPem: PemConverter.encode(privateKey, 'PRIVATE KEY'),
    algorithm: 'es256',
  };
}
