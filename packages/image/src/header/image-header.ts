/** The kinds of images that are read. */
export const IMAGE_MEDIA_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/gif',
] as const;

/** A kind of image that is read. */
export type ImageMediaType = (typeof IMAGE_MEDIA_TYPES)[number];

/** What a file says of itself in its first bytes. */
export interface ImageHeader {
  readonly mediaType: ImageMediaType;
  /** Pixels, as stored: an orientation that is noted beside them is not applied. */
  readonly width: number;
  readonly height: number;
}
