import { crc32, deflateSync } from 'node:zlib';

/** Hostile files, each with the expected result: a fault's code, or `null` for any report. */
export function hostileFiles(): readonly (readonly [string, Buffer, string | null])[] {
  return [
    ['nothing', Buffer.of(), 'not_an_image'],
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'not_an_image'],
    ['20 MB and one byte', Buffer.alloc(20_000_001), 'too_large'],
    ['a PNG of 50,000 x 50,000', png(50_000, 50_000, Buffer.alloc(0)), 'too_many_pixels'],
    ['a PNG of 2^31 pixels a side', png(0x7fffffff, 0x7fffffff, Buffer.alloc(0)), 'too_many_pixels'],
    ['a GIF of 65,535 x 65,535', gif(65_535, 65_535), 'too_many_pixels'],
    ['a WebP of 16,384 x 16,384', webp(), 'too_many_pixels'],
    ['a JPEG of 65,500 x 65,500', jpegHeader(65_500), 'too_many_pixels'],
    [
      '100 megapixels in a few kilobytes',
      png(10_000, 10_000, deflateSync(Buffer.alloc(10_000 * 1_251))),
      null,
    ],
    ['100 megapixels without any data', png(10_000, 10_000, Buffer.alloc(0)), null],
    ['a JPEG of 100 megapixels without any data', jpegHeader(10_000), null],
    ['a GIF of 99 megapixels without any data', gif(9_999, 9_901), null],
    ['a PNG whose chunk is 4 GB long', longChunk(), null],
    ['a box that holds itself', bmff(box('meta', Buffer.alloc(4), endless('iprp'))), 'cut_off'],
    ['boxes within boxes', bmff(nested(5_000)), 'cut_off'],
    ['a size in a box of 2^63 bytes', bmff(hugeBox()), 'cut_off'],
    ['a HEIC that is only a header', bmff(sizeBoxes(4_000, 4_000)), null],
    [
      'manifest boxes within boxes',
      Buffer.concat([png(1, 1, deflateSync(Buffer.alloc(2)), manifestNest(20_000))]),
      null,
    ],
  ];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint(data.length), body, uint(crc32(body))]);
}

/** One bit per pixel. */
function png(width: number, height: number, data: Buffer, more: Buffer = Buffer.alloc(0)): Buffer {
  const header = chunk('IHDR', Buffer.concat([uint(width), uint(height), Buffer.of(1, 0, 0, 0, 0)]));
  const parts = [header, more, chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function longChunk(): Buffer {
  const file = png(10, 10, Buffer.alloc(100));
  file.writeUInt32BE(0xffffffff, 33);
  return file;
}

function manifestNest(depth: number): Buffer {
  return chunk('caBX', nested(depth, 'jumb'));
}

function gif(width: number, height: number): Buffer {
  const file = Buffer.alloc(13);
  file.write('GIF89a');
  file.writeUInt16LE(width, 6);
  file.writeUInt16LE(height, 8);
  return file;
}

function webp(): Buffer {
  const file = Buffer.alloc(30);
  file.write('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1');
  file.fill(0xff, 24, 25).fill(0x3f, 25, 26).fill(0xff, 27, 28).fill(0x3f, 28, 29);
  return file;
}

function jpegHeader(side: number): Buffer {
  const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex');
  frame.writeUInt16BE(side, 5);
  frame.writeUInt16BE(side, 7);
  return Buffer.concat([Buffer.of(0xff, 0xd8), frame, Buffer.of(0xff, 0xd9)]);
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  return Buffer.concat([uint(data.length + 8), Buffer.from(type), data]);
}

function bmff(content: Buffer): Buffer {
  return Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0heicmif1')), content]);
}

/** A box of size zero: it extends to the end of its container. */
function endless(type: string): Buffer {
  return Buffer.concat([uint(0), Buffer.from(type), uint(0), Buffer.from(type), uint(0), Buffer.from(type)]);
}

function hugeBox(): Buffer {
  return Buffer.concat([uint(1), Buffer.from('meta'), Buffer.from('7fffffffffffffff', 'hex')]);
}

function nested(depth: number, type = 'meta'): Buffer {
  const file = Buffer.alloc(depth * 8);
  for (let level = 0; level < depth; level += 1) {
    file.writeUInt32BE(file.length - level * 8, level * 8);
    file.write(type, level * 8 + 4);
  }
  return file;
}

function sizeBoxes(width: number, height: number): Buffer {
  const size = box('ispe', uint(0), uint(width), uint(height));
  return box('meta', uint(0), box('iprp', box('ipco', size)));
}

function uint(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
