/** Maximum bytes of an image file; a larger one is not opened. */
export const MAX_BYTES = 20_000_000;

/** Maximum of width times height; an image with more is not decoded. */
export const MAX_PIXELS = 100_000_000;

/**
 * Pixels above which an image is scaled down before it is normalised: this saves time, and changes a code of 32 x 32 pixels in
 * two bits at most.
 */
export const FULL_SIZE = 4_194_304;
