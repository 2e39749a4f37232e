/** Creates certificates for tests: the minimum of X.509 (RFC 5280) for a TLS server with one name. */
import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface TestAuthority {
  /** The root certificate, as PEM. */
  readonly certificate: string;
  /** Issues a server certificate; both results are PEM. */
  readonly issue: (dnsName: string, notAfter: Date) => { readonly key: string; readonly cert: string };
}

const DAY = 86_400_000;
const OID_COMMON_NAME = '550403';
const OID_BASIC_CONSTRAINTS = '551d13';
const OID_ALTERNATIVE_NAME = '551d11';
const OID_ECDSA_SHA256 = '2a8648ce3d040302';

export function createTestAuthority(): TestAuthority {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = 'Test authority';
  const isAuthority = extension(OID_BASIC_CONSTRAINTS, tlv(0x30, tlv(0x01, Buffer.from([0xff]))));
  const soon = new Date(Date.now() + DAY);
  const own = { issuer, subject: issuer, key: privateKey, signer: privateKey, extension: isAuthority };
  return {
    certificate: certificate({ ...own, notAfter: soon }),
    issue: (dnsName, notAfter) => {
      const server = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
      const names = tlv(0x30, tlv(0x82, Buffer.from(dnsName)));
      const cert = certificate({
        issuer,
        subject: dnsName,
        key: server,
        signer: privateKey,
        extension: extension(OID_ALTERNATIVE_NAME, names),
        notAfter,
      });
      return { key: server.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
    },
  };
}

interface Contents {
  readonly issuer: string;
  readonly subject: string;
  readonly key: KeyObject;
  readonly signer: KeyObject;
  readonly extension: Buffer;
  readonly notAfter: Date;
}

function certificate(contents: Contents): string {
  const algorithm = tlv(0x30, oid(OID_ECDSA_SHA256));
  const serial = randomBytes(8);
  serial[0] = 0x01;
  const toBeSigned = tlv(
    0x30,
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, serial),
    algorithm,
    name(contents.issuer),
    tlv(0x30, time(new Date(Date.now() - 3 * DAY)), time(contents.notAfter)),
    name(contents.subject),
    createPublicKey(contents.key).export({ type: 'spki', format: 'der' }),
    tlv(0xa3, tlv(0x30, contents.extension)),
  );
  const signature = sign('sha256', toBeSigned, contents.signer);
  const der = tlv(0x30, toBeSigned, algorithm, tlv(0x03, Buffer.from([0]), signature));
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
}

/** One DER element (X.690 section 8.1). */
function tlv(tag: number, ...contents: readonly Buffer[]): Buffer {
  const value = Buffer.concat(contents);
  const { length } = value;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

function name(commonName: string): Buffer {
  return tlv(0x30, tlv(0x31, tlv(0x30, oid(OID_COMMON_NAME), tlv(0x0c, Buffer.from(commonName)))));
}

/** GeneralizedTime, to the second. */
function time(moment: Date): Buffer {
  const digits = moment.toISOString().replace(/\.\d+|[-:T]/g, '');
  return tlv(0x18, Buffer.from(digits));
}

function extension(id: string, value: Buffer): Buffer {
  return tlv(0x30, oid(id), tlv(0x04, value));
}
