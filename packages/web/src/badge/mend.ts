import { parseJsonLd } from '@touchstone/page/json-ld/repair';

/** The value of a block that is not sound JSON; `undefined` where it cannot be mended. */
export function mend(text: string): unknown {
  return parseJsonLd(text)?.value;
}
