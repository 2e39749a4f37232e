/** Bytes of an image file; a larger one is not opened. */
export const MAX_BYTES = 20_000_000;

/** Width times height; an image that announces more is not decoded. */
export const MAX_PIXELS = 100_000_000;

/**
 * Above so many pixels an image is shrunk before it is normalised: it then costs little, and a code of 32 x 32 pixels
 * changes in two bits at most.
 */
export const FULL_SIZE = 4_194_304;
