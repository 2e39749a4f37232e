import type { PriceWords } from './price-text.ts';
import type { Run } from './region.ts';

/** A price as the page shows it. */
export interface VisiblePrice {
  readonly amount: string;
  readonly currency: string | undefined;
  /** The mark is one of several currencies and nothing says which. */
  readonly guessed: boolean;
  readonly score: number;
  readonly run: Run;
  readonly old: boolean;
  /** Words on it say that its tax is in it. */
  readonly taxed: boolean;
  /** Named as another amount than the price. */
  readonly other: boolean;
  readonly words: PriceWords;
  /** The range that it is the low end of. */
  readonly range: string | undefined;
  /** The low end of the range that it is the high end of. */
  readonly lowEnd: string | undefined;
}
