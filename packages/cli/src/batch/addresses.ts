import { usage } from '../cli-error.ts';

/** A page to check. */
export interface Address {
  /** Its line in the list, from 1; the first one if it is listed more than once. */
  readonly line: number;
  /** The address as requested; for a line that is no address, the line itself. */
  readonly url: string;
  readonly valid: boolean;
}

export interface AddressList {
  /** Each address once, in the order of the list. */
  readonly addresses: readonly Address[];
  /** Number of lines that repeat an earlier address. */
  readonly repeated: number;
}

/**
 * Reads a list of pages, one address per line. Empty lines and lines that begin with # are skipped.
 *
 * @throws CliError (usage) if the list contains no page
 */
export function readAddresses(text: string, name: string): AddressList {
  const addresses = new Map<string, Address>();
  let named = 0;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const entry = raw.trim();
    if (entry === '' || entry.startsWith('#')) continue;
    named++;
    const parsed = URL.parse(entry);
    const valid = parsed !== null && /^https?:$/.test(parsed.protocol);
    const url = valid ? parsed.href : entry;
    if (!addresses.has(url)) addresses.set(url, { line: index + 1, url, valid });
  }
  if (addresses.size === 0) {
    throw usage(`${name} contains no page address.`, 'Give one absolute http or https address per line.');
  }
  return { addresses: [...addresses.values()], repeated: named - addresses.size };
}
