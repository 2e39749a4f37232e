import { parseJsonLd } from '@touchstone/page/json-ld/repair';

/** The value of a block of malformed JSON; `undefined` if it cannot be repaired. */
export function repair(text: string): unknown {
  return parseJsonLd(text)?.value;
}
