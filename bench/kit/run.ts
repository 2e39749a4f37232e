import type { Row } from './row.ts';

export interface BenchContext {
  /** An empty folder of this benchmark; removed afterwards. */
  readonly folder: string;
  /** Registers a function that runs when the benchmark has ended or failed, in reverse order. */
  readonly onEnd: (close: () => Promise<unknown>) => void;
  /** Prints a line of progress. */
  readonly tell: (what: string) => void;
}

/** Measures one or more rows of the table. */
export type Bench = (context: BenchContext) => Promise<Row[]>;
