/** A job that this node runs. */
export interface Job {
  readonly subject: string;
  readonly owner: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Number of orders so far: this run does not fulfil a later one. */
  readonly orders: number;
  /** Identifies this claim, so that the result of an earlier one is not recorded. */
  readonly lease: string;
  /** Of the span in which it was ordered; absent without traces. */
  readonly traceparent?: string | null;
}
