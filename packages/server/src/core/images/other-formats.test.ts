import { expect, it } from 'vitest';
import { nameOfFormat } from './other-formats.ts';

it.each([
  ['%PDF-1.7\n', 'It is a PDF.'],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'It is an SVG drawing.'],
  ['\xef\xbb\xbf<?xml version="1.0"?>\n<!-- made -->\n<SVG>', 'It is an SVG drawing.'],
  ['  <!DOCTYPE html><svg></svg>', 'It is an HTML page.'],
  ['\0\0\0\x18ftypisom', 'It is a video.'],
  ['\x1a\x45\xdf\xa3', 'It is a video.'],
  ['MM\0*', 'It is a TIFF picture.'],
  ['BM6', 'It is a BMP picture.'],
  ['glTF', 'It is a 3D model.'],
  ['', 'It is empty.'],
  ['\0\0\0\x18ftypavif', ''],
  ['<svgs>', ''],
  ['hello', ''],
])('names the format of %j', (bytes, name) => {
  expect(nameOfFormat(Buffer.from(bytes, 'latin1'))).toBe(name);
});

it('reads only the beginning, and is fast on long input', () => {
  expect(nameOfFormat(Buffer.from(`${'<!---->'.repeat(200_000)}<svg>`))).toBe('');
});
