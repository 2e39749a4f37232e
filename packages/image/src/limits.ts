/** Bytes of an image file; a larger one is not opened. */
export const MAX_BYTES = 20_000_000;

/** Width times height; an image that announces more is not decoded. */
export const MAX_PIXELS = 100_000_000;
