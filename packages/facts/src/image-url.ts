import { type Findings, webAddress } from '@touchstone/page/document';
import { BOUNDS } from './bounds.ts';

/** Absolute URL of an image; undefined if it cannot be fetched (`data:`, invalid) or is too long, which adds a finding. */
export function imageUrl(text: string, base: string, findings: Findings): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || /^(?:data|blob|javascript):/i.test(trimmed)) return undefined;
  // the limit applies to the percent-encoded URL, in which one character may become nine
  const isShort = trimmed.length <= BOUNDS.addressLength;
  const href = isShort ? webAddress(trimmed, base) : undefined;
  if (isShort && (href === undefined || href.length <= BOUNDS.addressLength)) return href;
  findings.add('image_address_too_long');
  return undefined;
}
