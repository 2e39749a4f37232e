import { parseJsonLd } from '@touchstone/page/json-ld/repair';

/** The value of a block that is not sound JSON; `undefined` where it cannot be repaired. */
export function repair(text: string): unknown {
  return parseJsonLd(text)?.value;
}
