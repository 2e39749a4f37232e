/** Limits on the facts of one page; those on reading the page are in `@touchstone/page`. */
export const BOUNDS = {
  images: 50,
  /** Characters of an image URL, percent-encoded. */
  addressLength: 2_048,
  /** Characters of a name. */
  nameLength: 500,
  descriptionLength: 5_000,
  shortLength: 200,
} as const;
