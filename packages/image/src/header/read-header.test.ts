import { expect, it } from 'vitest';
import { beginsAsImage, readHeader } from './read-header.ts';

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...part].map((c) => c.charCodeAt(0)) : part)),
  );
const SIZE = [0x12, 0x34];

it.each([
  [
    'PNG',
    bytes([0x89], 'PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, ...SIZE, 0, 0, 0, 9]),
    'image/png',
    0x1234,
    9,
  ],
  ['GIF', bytes('GIF89a', [0x34, 0x12, 9, 0]), 'image/gif', 0x1234, 9],
  [
    'JPEG with segments and fill bytes before its frame',
    bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 11, 8, 0, 9, ...SIZE]),
    'image/jpeg',
    0x1234,
    9,
  ],
  [
    'extended WebP',
    bytes('RIFF....WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 0x33, 0x12, 0, 8, 0, 0]),
    'image/webp',
    0x1234,
    9,
  ],
  [
    'lossless WebP',
    bytes('RIFF....WEBPVP8L', [0, 0, 0, 0, 0x2f, 0x33, 0x12, 0x02, 0]),
    'image/webp',
    0x1234,
    9,
  ],
  [
    'lossy WebP',
    bytes('RIFF....WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x34, 0x12, 9, 0]),
    'image/webp',
    0x1234,
    9,
  ],
])('reads format and size of a %s', (_name, file, mediaType, width, height) => {
  expect(readHeader(file)).toEqual({ mediaType, width, height });
  // a truncated number would be a wrong one
  for (let end = 0; end < file.length; end += 1) expect(readHeader(file.subarray(0, end))).toBeNull();
});

const box = (type: string, ...content: (readonly number[] | string)[]) => {
  const data = bytes(...content);
  return [...bytes([0, 0, (data.length + 8) >> 8, (data.length + 8) & 255], type), ...data];
};
const ispe = (width: number, height: number) => box('ispe', [0, 0, 0, 0, 0, 0, 0, width, 0, 0, 0, height]);
const withSizes = (ftyp: readonly number[]) =>
  bytes(ftyp, box('meta', [0, 0, 0, 0], box('iprp', box('ipco', ispe(7, 5), ispe(90, 60)))));

it.each([
  ['avif', 'mif1', 'image/avif'],
  ['mif1', 'heic', 'image/heic'],
  ['mif1', 'avif', 'image/avif'],
  ['heix', 'mif1', 'image/heic'],
])('reads the larger size of a file of brands %s and %s', (major, compatible, mediaType) => {
  const file = withSizes(box('ftyp', major, [0, 0, 0, 0], compatible));
  expect(readHeader(file)).toEqual({ mediaType, width: 90, height: 60 });
});

it.each([
  ['a video', withSizes(box('ftyp', 'isom', [0, 0, 0, 0], 'mp42'))],
  ['an image without a size', bytes('GIF89a', [0, 0, 9, 0])],
  ['a bitmap', bytes('BM', '.'.repeat(60))],
  ['a drawing', bytes('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['nothing', bytes()],
])('does not recognise %s', (_name, file) => {
  expect(readHeader(file)).toBeNull();
});

const JPEG_WITHOUT_FRAME = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2];
it.each([
  ['a JPEG that ends before its frame', bytes(JPEG_WITHOUT_FRAME)],
  ['a JPEG that ends within a segment', bytes(JPEG_WITHOUT_FRAME.slice(0, 7))],
  ['a JPEG that breaks off before its frame', bytes(JPEG_WITHOUT_FRAME, 'something else')],
  ['a PNG that ends before its header', bytes([0x89], 'PNG\r\n\x1a\n', [0, 0])],
  ['a GIF that ends within its size', bytes('GIF89a', [9])],
  ['a WebP that ends before its first chunk', bytes('RIFF....WEBP')],
  ['an AVIF that ends after its brands', bytes(box('ftyp', 'avif', [0, 0, 0, 0]))],
])('distinguishes %s from a file that is not an image', (_name, file) => {
  expect([readHeader(file), beginsAsImage(file)]).toEqual([null, true]);
});
