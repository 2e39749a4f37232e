/** A user of the system, and its group. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}
