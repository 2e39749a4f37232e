import { gtin14 } from '../agreement/identifiers.ts';
import { parseWebUrl } from '../binding/hosts.ts';

/** Characters of an address that is read as a Digital Link. */
const MAX_LINK = 2_000;

/**
 * A GTIN as 14 digits, from its digits or from a GS1 Digital Link (uncompressed, with the application identifier 01), on any host and
 * whatever qualifiers follow: `https://id.gs1.org/01/09506000134352/10/ABC`.
 *
 * @returns `null` if it is neither
 * @example
 * ```ts
 * import { statedGtin } from '@touchstone/certificate/item';
 *
 * statedGtin('https://id.gs1.org/01/09506000134352/10/ABC'); // '09506000134352'
 * statedGtin('9506000134352'); // '09506000134352'
 * ```
 */
export function statedGtin(text: string): string | null {
  const digits = gtin14(text);
  if (digits !== null || text.length > MAX_LINK) return digits;
  const path = parseWebUrl(text.trim())?.pathname.split('/') ?? [];
  const at = path.indexOf('01');
  return at === -1 ? null : gtin14(path[at + 1] ?? '');
}
