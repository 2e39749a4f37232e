/** How images are fetched and looked at. */
export interface ImageSettings {
  /** Images under way at one node. */
  readonly concurrent: number;
  /** Of these, from one host, over all nodes. */
  readonly perHost: number;
  /** Milliseconds between two requests to one host, over all nodes. */
  readonly spacing: number;
  /** Threads that decode and validate. */
  readonly threads: number;
  /** Attempts before an image counts as failed. */
  readonly attempts: number;
  /** Seconds before the second attempt; doubled each time. */
  readonly retryDelay: number;
  /** Seconds between two looks at an image; 0: it is looked at once. */
  readonly recheck: number;
}

export const DEFAULT_IMAGE_SETTINGS: ImageSettings = {
  concurrent: 8,
  perHost: 4,
  spacing: 50,
  threads: 2,
  attempts: 8,
  retryDelay: 10,
  recheck: 86_400,
};
