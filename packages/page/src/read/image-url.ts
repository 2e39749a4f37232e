import { BOUNDS } from './bounds.ts';
import type { Findings } from './findings.ts';
import { webAddress } from './links.ts';

/** Absolute address of an image, or nothing for what cannot be fetched (`data:`, broken) or is too long, which is said. */
export function imageUrl(text: string, base: string, findings: Findings): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || /^(?:data|blob|javascript):/i.test(trimmed)) return undefined;
  // measured as it is written into a report: percent-encoding makes nine characters of one
  const isShort = trimmed.length <= BOUNDS.addressLength;
  const href = isShort ? webAddress(trimmed, base) : undefined;
  if (isShort && (href === undefined || href.length <= BOUNDS.addressLength)) return href;
  findings.add('image_address_too_long');
  return undefined;
}
