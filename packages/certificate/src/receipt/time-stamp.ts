/** What a time stamp (RFC 3161) states, unverified. */
export interface TimeStampInfo {
  /** SHA-256 of what was stamped. */
  readonly imprint: Uint8Array;
  /** `YYYYMMDDHHMMSS[.f…]Z`, as written. */
  readonly time: string;
}

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
}

const SEQUENCE = 0x30;
const OCTETS = 0x04;
const TIME = 0x18;
const EXPLICIT = 0xa0;
/** 2.16.840.1.101.3.4.2.1 */
const SHA_256 = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01];

/**
 * Reads which digest a time-stamp token is about, and which time it states. The signature of the authority is not verified here: that
 * takes the certificates that the reader trusts, as `openssl ts -verify` asks for.
 *
 * @param token - DER
 * @returns `null` for anything else, and for a digest other than SHA-256
 */
export function readTimeStamp(token: Uint8Array): TimeStampInfo | null {
  const signed = at(partsOf(at(partsOf(elementIn(token)), 1, EXPLICIT)), 0, SEQUENCE);
  const wrapped = at(partsOf(at(partsOf(signed), 2, SEQUENCE)), 1, EXPLICIT);
  const octets = at(partsOf(wrapped), 0, OCTETS);
  const info = partsOf(octets && elementIn(octets.content));
  const imprint = partsOf(at(info, 2, SEQUENCE));
  const algorithm = at(imprint, 0, SEQUENCE);
  const digest = at(imprint, 1, OCTETS);
  const time = at(info, 4, TIME);
  if (algorithm === null || digest === null || time === null || digest.content.length !== 32) return null;
  if (!SHA_256.every((byte, index) => algorithm.content[index] === byte)) return null;
  const text = new TextDecoder().decode(time.content);
  // in DER (RFC 3161, section 2.4.2), and nothing that a reader could take for our words
  return /^\d{14}(?:\.\d{1,20})?Z$/.test(text) ? { imprint: digest.content, time: text } : null;
}

function at(parts: readonly Element[], index: number, tag: number): Element | null {
  const part = parts[index];
  return part?.tag === tag ? part : null;
}

/** The only element of these bytes; `null` if there is not exactly one. */
function elementIn(bytes: Uint8Array): Element | null {
  const [first, ...others] = elementsIn(bytes) ?? [];
  return first === undefined || others.length > 0 ? null : first;
}

function partsOf(element: Element | null): readonly Element[] {
  return (element !== null && elementsIn(element.content)) || [];
}

/** Elements in DER, one after the other; `null` if the bytes are none. */
function elementsIn(bytes: Uint8Array): Element[] | null {
  const elements: Element[] = [];
  for (let place = 0; place < bytes.length; ) {
    const tag = bytes[place] as number;
    const head = lengthAt(bytes, place + 1);
    if (head === null || head.end + head.length > bytes.length) return null;
    elements.push({ tag, content: bytes.subarray(head.end, head.end + head.length) });
    place = head.end + head.length;
  }
  return elements;
}

function lengthAt(
  bytes: Uint8Array,
  place: number,
): { readonly length: number; readonly end: number } | null {
  const first = bytes[place];
  if (first === undefined) return null;
  if (first < 0x80) return { length: first, end: place + 1 };
  const count = first & 0x7f;
  // indefinite lengths are no DER; four bytes are more than any token has
  if (count === 0 || count > 4 || place + count >= bytes.length) return null;
  let length = 0;
  for (let index = 1; index <= count; index += 1) length = length * 256 + (bytes[place + index] as number);
  return { length, end: place + 1 + count };
}
