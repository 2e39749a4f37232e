import { usage } from '../cli-error.ts';

/** A page to look at. */
export interface Address {
  /** Where it stands in the list, from 1; the first place where it stands more than once. */
  readonly line: number;
  /** As it will be asked for; for what is no address, the line itself. */
  readonly url: string;
  readonly valid: boolean;
}

export interface AddressList {
  /** Each address once, in the order of the list. */
  readonly addresses: readonly Address[];
  /** Lines that repeat an address from further up. */
  readonly repeated: number;
}

/**
 * Reads a list of pages: one address a line. Empty lines and those that begin with # are left out.
 *
 * @throws CliError (usage) when it names no page
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
    throw usage(`${name} names no page.`, 'Give one absolute http or https address a line.');
  }
  return { addresses: [...addresses.values()], repeated: named - addresses.size };
}
