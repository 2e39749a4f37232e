import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes of length, type and checksum of a chunk. */
const AROUND = 12;

/** Encodes a square of pixels, three bytes each, as a PNG (third edition, W3C). */
export function pngOf(pixels: Uint8Array, size: number): Buffer {
  const width = size * 3;
  const rows = Buffer.alloc((width + 1) * size);
  for (let row = 0; row < size; row++) {
    const at = row * (width + 1);
    // filter "up": each row as its difference from the row above
    rows[at] = 2;
    for (let i = 0; i < width; i++) {
      const here = row * width + i;
      rows[at + 1 + i] = (pixels[here] ?? 0) - (row === 0 ? 0 : (pixels[here - width] ?? 0));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2], 8); // 8 bits per channel, RGB
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The file with the pixels of another one, as if somebody painted over a picture and kept its metadata. */
export function paintedOver(file: Uint8Array, other: Uint8Array): Buffer {
  const pixels = chunksOf(other).find(({ type }) => type === 'IDAT')?.bytes ?? Buffer.alloc(0);
  const chunks = chunksOf(file).map(({ type, bytes }) => (type === 'IDAT' ? pixels : bytes));
  return Buffer.concat([file.subarray(0, SIGNATURE.length), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

function chunksOf(file: Uint8Array): { type: string; bytes: Buffer }[] {
  const buffer = Buffer.from(file);
  const chunks: { type: string; bytes: Buffer }[] = [];
  for (let at = SIGNATURE.length; at < buffer.length; ) {
    const end = at + AROUND + buffer.readUInt32BE(at);
    chunks.push({ type: buffer.toString('latin1', at + 4, at + 8), bytes: buffer.subarray(at, end) });
    at = end;
  }
  return chunks;
}
