import type { PriceWords } from './price-text.ts';
import type { Run } from './region.ts';

/** A price that the page prints. */
export interface VisiblePrice {
  readonly amount: string;
  readonly currency: string | undefined;
  /** The symbol is shared by several currencies, and nothing determines which one is meant. */
  readonly guessed: boolean;
  readonly score: number;
  readonly run: Run;
  readonly old: boolean;
  /** Words on it state that tax is included. */
  readonly taxed: boolean;
  /** Named as something other than the price. */
  readonly other: boolean;
  readonly words: PriceWords;
  /** The range of which it is the low end. */
  readonly range: string | undefined;
  /** The low end of the range of which it is the high end. */
  readonly lowEnd: string | undefined;
}
