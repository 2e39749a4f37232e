/** An entry of a status list (draft-ietf-oauth-status-list-20), which one proof names. */
export interface StatusEntry {
  /** Number of the list. */
  readonly list: number;
  readonly index: number;
}

/** Gives out entries of status lists, each once. */
export interface StatusEntries {
  /** As many entries as are asked for. */
  take(count: number): Promise<readonly StatusEntry[]>;
}
