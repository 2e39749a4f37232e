/** A job that this node runs. */
export interface Job {
  readonly subject: string;
  readonly owner: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Orders given so far: one that comes later is not done with this run. */
  readonly orders: number;
  /** Names this claim, so that what comes of an earlier one does not count. */
  readonly lease: string;
}
