import { domainToUnicode } from 'node:url';

/** The two ways in which a host name is written. */
export interface HostForms {
  /** As in the DNS and in certificates: A-labels (`xn--…`). */
  readonly ascii: string;
  /** As browsers may show it. The same as `ascii` if there is nothing to decode. */
  readonly unicode: string;
}

/** Of the DNS (RFC 1035). */
const MAX_NAME = 253;
const MAX_LABEL = 63;

/**
 * Both forms of a host name. Letters in upper case, a dot at the end and the names of certificates (`*.shop.example`) are
 * accepted.
 *
 * @returns `null` for anything that is no host name, such as an IP address
 * @example
 * ```ts
 * import { hostForms } from '@touchstone/lookalikes';
 *
 * hostForms('xn--shp-tna.example'); // { ascii: 'xn--shp-tna.example', unicode: 'shöp.example' }
 * ```
 */
export function hostForms(text: string): HostForms | null {
  const ascii = asciiOf(text.startsWith('*.') ? text.slice(2) : text);
  if (ascii === null) return null;
  if (!ascii.includes('xn--')) return { ascii, unicode: ascii };
  // one that is not valid stays as it is, as in browsers
  const unicode = ascii.split('.').map((label) => domainToUnicode(label) || label);
  return { ascii, unicode: unicode.join('.') };
}

const PLAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

function asciiOf(text: string): string | null {
  if (text.length > 4 * MAX_NAME) return null;
  const ascii = PLAIN.test(text) ? text : parsedHost(text);
  if (ascii === null || ascii.length > MAX_NAME) return null;
  // the last label of an address is a number
  if (/\.\d+$/.test(ascii) || ascii.split('.').some((label) => label.length > MAX_LABEL)) return null;
  return ascii;
}

/** By the WHATWG URL standard, as browsers do. */
function parsedHost(text: string): string | null {
  if (/[/\\?#@:\s%[\]]/.test(text)) return null;
  const url = `http://${text}/`;
  if (!URL.canParse(url)) return null;
  const host = new URL(url).hostname.replace(/\.$/, '');
  return PLAIN.test(host) ? host : null;
}
