/** Algorithms of C2PA signatures (C2PA 13.2.1) and their numbers in COSE (RFC 9053). */
const COSE_ALGORITHMS = {
  es256: -7,
  es384: -35,
  es512: -36,
  ps256: -37,
  ps384: -38,
  ps512: -39,
  ed25519: -8,
};

/** An algorithm that C2PA allows; it must fit the private key. */
export type SigningAlgorithm = keyof typeof COSE_ALGORITHMS;

const HEADER_ALG = 1;
/** Certificates of the signer, leaf first (RFC 9360). */
const HEADER_X5CHAIN = 33;

/** The protected header: algorithm and certificate chain, both covered by the signature. */
export function protectedHeader(algorithm: SigningAlgorithm, chain: readonly Uint8Array[]): Uint8Array {
  const certificates =
    chain.length === 1 ? byteString(chain[0] ?? new Uint8Array()) : array(chain.map(byteString));
  return map([
    [integer(HEADER_ALG), integer(COSE_ALGORITHMS[algorithm])],
    [integer(HEADER_X5CHAIN), certificates],
  ]);
}

/** The bytes to sign: the Sig_structure (RFC 9052, 4.4) with a detached payload. */
export function toBeSigned(header: Uint8Array, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  return array([text('Signature1'), byteString(header), byteString(new Uint8Array()), byteString(payload)]);
}

/** The bytes to time-stamp: a countersignature structure over the signature (C2PA 2.1, 10.3.2.5.3; RFC 9052, 4.4). */
export function toBeStamped(header: Uint8Array, signature: Uint8Array): Uint8Array<ArrayBuffer> {
  const payload = byteString(byteString(signature));
  return array([text('CounterSignature'), byteString(header), byteString(new Uint8Array()), payload]);
}

/**
 * A COSE_Sign1 with a detached payload, padded to exactly `size` bytes, which were reserved before the image was hashed.
 *
 * @param stamp a time-stamp token over the signature (RFC 3161), DER
 * @throws RangeError if it does not fit
 */
export function coseSign1(
  header: Uint8Array,
  signature: Uint8Array,
  size: number,
  stamp?: Uint8Array | null,
): Uint8Array<ArrayBuffer> {
  const stamped = stamp === undefined || stamp === null ? [] : [sigTst2(stamp)];
  const withPad = (pad: number) =>
    tagged(
      18,
      array([
        byteString(header),
        map([...stamped, [text('pad'), byteString(new Uint8Array(pad))]]),
        NULL,
        byteString(signature),
      ]),
    );
  let pad = size - withPad(0).length;
  // the encoded length of the padding takes bytes, too
  while (pad >= 0 && withPad(pad).length > size) pad -= 1;
  const whole = withPad(Math.max(0, pad));
  if (pad < 0 || whole.length !== size) throw new RangeError(`The signature does not fill ${size} bytes.`);
  return whole;
}

/** The header with the time stamp of a claim of version 2. */
function sigTst2(token: Uint8Array): readonly [Uint8Array, Uint8Array] {
  return [text('sigTst2'), map([[text('tstTokens'), array([map([[text('val'), byteString(token)]])])]])];
}

const NULL = Uint8Array.of(0xf6);

/** CBOR (RFC 8949), shortest form: the few types that a signature needs. */
function head(major: number, value: number): Uint8Array {
  const type = major << 5;
  if (value < 24) return Uint8Array.of(type | value);
  if (value < 0x100) return Uint8Array.of(type | 24, value);
  if (value < 0x10000) return Uint8Array.of(type | 25, value >> 8, value & 0xff);
  return Uint8Array.of(type | 26, value >>> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff);
}

const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const byteString = (bytes: Uint8Array) => join([head(2, bytes.length), bytes]);
const array = (items: readonly Uint8Array[]) => join([head(4, items.length), ...items]);
const map = (entries: readonly (readonly [Uint8Array, Uint8Array])[]) =>
  join([head(5, entries.length), ...entries.flat()]);
const tagged = (tag: number, item: Uint8Array) => join([head(6, tag), item]);

function text(value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value);
  return join([head(3, bytes.length), bytes]);
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
