import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePrice } from '../../../packages/facts/src/values/price.ts';

interface PriceString {
  readonly text: string | null;
  readonly currencyHint: string | null;
  /** null: the string contains no price. */
  readonly amount: string | null;
}

export interface PriceStringFigures {
  readonly strings: number;
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  readonly invented: number;
}

/** Compares the amounts parsed from price strings of shops with the correct ones. */
export function readPriceStrings(corpora: string): PriceStringFigures | undefined {
  const path = join(corpora, 'price-strings/cases.json');
  if (!existsSync(path)) return undefined;
  const cases = JSON.parse(readFileSync(path, 'utf8')) as PriceString[];
  const counts = { strings: cases.length, right: 0, wrong: 0, missed: 0, invented: 0 };
  for (const example of cases) counts[outcomeOf(example)]++;
  return counts;
}

function outcomeOf({ text, currencyHint, amount }: PriceString): 'right' | 'wrong' | 'missed' | 'invented' {
  const read = parsePrice(text ?? '', currencyHint ?? undefined)?.amount;
  if (amount === null) return read === undefined ? 'right' : 'invented';
  if (read === undefined) return 'missed';
  return Number(read) === Number(amount) ? 'right' : 'wrong';
}
