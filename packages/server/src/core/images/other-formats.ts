/** Formats that are often found in place of an image: the beginning of their bytes, as Latin-1, and a sentence. */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'It is a PDF.'],
  [/^(?:<\?xml[^>]*>\s*|<!--[^>]*-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]/i, 'It is an SVG drawing.'],
  [/^(?:<!doctype html|<html|<head|<body)/i, 'It is an HTML page.'],
  [/^[\s\S]{4}ftyp(?:isom|iso[2-9]|mp4[12]|avc1|M4V |qt {2}|3gp\d|MSNV|dash)/, 'It is a video.'],
  [/^[^ -~]E\xdf\xa3/, 'It is a video.'],
  [/^(?:II\*[^ -~]|MM[^ -~]\*)/, 'It is a TIFF picture.'],
  [/^BM/, 'It is a BMP picture.'],
  [/^glTF/, 'It is a 3D model.'],
];

/** Bytes that are inspected. */
const HEAD = 1_024;

/** A sentence that names the format of bytes that are not a supported image; empty if it is not recognised. */
export function nameOfFormat(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'It is empty.';
  const head = Buffer.from(bytes.subarray(0, HEAD))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  return FORMATS.find(([begins]) => begins.test(head))?.[1] ?? '';
}
