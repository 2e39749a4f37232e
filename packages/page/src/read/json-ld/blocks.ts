import { BOUNDS } from '../bounds.ts';
import type { El, HtmlDocument } from '../dom/document.ts';
import type { Findings } from '../findings.ts';
import { parseJsonLd } from './repair.ts';

/** One JSON-LD block that could be parsed; `number` counts the page's blocks from 1. */
export interface JsonLdBlock {
  readonly number: number;
  readonly value: unknown;
}

/** Whether a script element contains JSON-LD, by its media type without parameters (JSON-LD 1.1, section 7). */
export function isJsonLdScript(doc: HtmlDocument, el: El): boolean {
  const type = doc.attr(el, 'type');
  if (type === undefined) return false;
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  return essence === 'application/ld+json';
}

/** Parses each block separately: a broken one adds a finding and does not affect the others. */
export function readJsonLdBlocks(
  doc: HtmlDocument,
  scripts: readonly El[],
  findings: Findings,
): JsonLdBlock[] {
  const blocks: JsonLdBlock[] = [];
  let number = 0;
  for (const script of scripts) {
    if (!isJsonLdScript(doc, script)) continue;
    number++;
    if (number > BOUNDS.jsonLdBlocks) {
      findings.add('json_ld_blocks_capped');
      break;
    }
    if (script.innerTo - script.innerFrom > BOUNDS.jsonLdLength) {
      findings.add('json_ld_too_large', `block ${number}`);
      continue;
    }
    const text = doc.inner(script);
    if (text.trim() === '') continue;
    const parsed = parseJsonLd(text);
    if (parsed === undefined) findings.add('json_ld_broken', `block ${number}`);
    else {
      if (parsed.repaired) findings.add('json_ld_repaired', `block ${number}`);
      blocks.push({ number, value: parsed.value });
    }
  }
  return blocks;
}
