import { decodeHTML } from 'entities/decode';

/** NUL would break the database, a lone surrogate every UTF-8 encoder (decision 13). */
function stripUnstorable(text: string): string {
  const noNul = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return noNul.isWellFormed() ? noNul : noNul.replace(LONE_SURROGATE, '');
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

// controls, zero-width and direction marks say nothing about a product; joiners are part of words
const INVISIBLE = /[[\p{Cc}\p{Cf}]--[\u200C\u200D]]/gv;

/** One line, single spaces, nothing invisible, at most `max` characters. */
export function cleanText(text: string, max: number): string {
  const cut = text.length > max * 4 ? text.slice(0, max * 4) : text;
  const line = stripUnstorable(cut).replace(/\s+/g, ' ').replace(INVISIBLE, '').trim();
  return line.length > max ? stripUnstorable(line.slice(0, max)).trimEnd() : line;
}

const TAG = /<\/?[a-z!][^<>]{0,2000}>/gi;

/** Text of a value that may itself be HTML, as descriptions in structured data often are. */
export function htmlToText(value: string, max: number): string {
  const cut = value.length > max * 8 ? value.slice(0, max * 8) : value;
  const decoded = cut.includes('&') ? decodeHTML(cut) : cut;
  const bare = decoded.includes('<') ? decoded.replace(TAG, ' ') : decoded;
  return cleanText(bare, max);
}

/** For comparing two spellings of the same words. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
