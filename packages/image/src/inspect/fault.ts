/** Why an image was not opened. The first five concern the file, the others this program. */
export const IMAGE_FAULTS = {
  not_an_image: 'The file is not a JPEG, PNG, WebP, AVIF, HEIC or GIF image.',
  cut_off: 'The file begins as an image but ends before it states the size of the picture.',
  too_large: 'The file is over 20 MB.',
  too_many_pixels: 'The image has more than 100 megapixels.',
  undecodable: 'The file is too damaged to be signed.',
  timed_out: 'Opening the image took too long.',
  worker_died: 'Opening the image took too much memory, or crashed.',
  overloaded: 'Too many images are waiting to be opened.',
  closed: 'Images are no longer opened.',
} as const;

/** A code of `IMAGE_FAULTS`. */
export type ImageFaultCode = keyof typeof IMAGE_FAULTS;

/**
 * Thrown for an image that was not opened.
 *
 * @example
 * ```ts
 * import { ImageFault } from '@touchstone/image/node';
 *
 * new ImageFault('not_an_image').code; // 'not_an_image'
 * ```
 */
export class ImageFault extends Error {
  readonly code: ImageFaultCode;
  /** The message of the decoder or signer, which may contain text of the file. */
  readonly detail?: string;

  constructor(code: ImageFaultCode, detail?: string) {
    super(IMAGE_FAULTS[code]);
    this.name = 'ImageFault';
    this.code = code;
    if (detail !== undefined) this.detail = detail;
  }
}
