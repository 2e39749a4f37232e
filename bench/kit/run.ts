import type { Row } from './row.ts';

export interface BenchContext {
  /** Empty, for this bench alone; removed after it. */
  readonly folder: string;
  /** Runs `close` when the bench has ended, however it did; the last one first. */
  readonly onEnd: (close: () => Promise<unknown>) => void;
  /** A line of progress. */
  readonly tell: (what: string) => void;
}

/** Measures one or more rows of the table. */
export type Bench = (context: BenchContext) => Promise<Row[]>;
