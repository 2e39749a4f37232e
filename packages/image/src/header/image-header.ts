/** The supported image formats. */
export const IMAGE_MEDIA_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/gif',
] as const;

/** A supported image format. */
export type ImageMediaType = (typeof IMAGE_MEDIA_TYPES)[number];

/** Format and size as stated at the beginning of a file. */
export interface ImageHeader {
  readonly mediaType: ImageMediaType;
  /** Pixels as stored, without applying the orientation. */
  readonly width: number;
  readonly height: number;
}
