import { crc32, deflateSync } from 'node:zlib';

/** The bytes of a picture, by its file name. */
export type Pictures = (file: string) => Buffer;

/** Pictures that their photographer has signed. */
export const SIGNED = ['cup-1.png', 'bowl-1.png'] as const;
/** A signed picture that somebody painted over afterwards. */
export const PAINTED_OVER = 'vase-1.png';

/** The pictures of the demo shop: most without a manifest, two signed by their photographer, and one tampered with. */
export async function makePictures(): Promise<Pictures> {
  const [{ openImageWorkers }, { developmentChain }] = await Promise.all([
    import('@touchstone/image/node'),
    import('@touchstone/server'),
  ]);
  const trust = { name: 'none', date: '', anchorsPem: '' };
  const workers = openImageWorkers({ processes: 1, memoryMb: 512, timeoutMs: 30_000, trust });
  const chain = await developmentChain(new Date());
  const signed = new Map<string, Buffer>();
  try {
    for (const file of [...SIGNED, PAINTED_OVER]) {
      const manifest = {
        title: file,
        claimGenerator: { name: 'Demo photographer', version: '1' },
        actions: [{ action: 'c2pa.published' }],
        assertions: [],
      };
      signed.set(file, Buffer.from(await workers.sign(picture(file), manifest, chain)));
    }
  } finally {
    await workers.close();
  }
  signed.set(
    PAINTED_OVER,
    paintedOver(signed.get(PAINTED_OVER) ?? picture(PAINTED_OVER), picture('painted')),
  );
  return (file) => signed.get(file) ?? picture(file);
}

const SIZE = 96;

/** A PNG of its own for each name: real bytes of a real image, made on the spot (PNG third edition, W3C). */
function picture(name: string): Buffer {
  const seed = crc32(name);
  const rows = Array.from({ length: SIZE }, (_, y) => {
    const pixels = Array.from({ length: SIZE }, (_, x) => pixel(seed, x, y)).flat();
    return Buffer.from([0, ...pixels]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 2], 8); // 8 bits a channel, RGB
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function pixel(seed: number, x: number, y: number): number[] {
  const inside = (x - SIZE / 2) ** 2 + (y - SIZE / 2) ** 2 < (SIZE / 3 + (seed % 12)) ** 2;
  const shade = inside ? 150 + ((x + y) >> 2) : 235;
  return [0, 8, 16].map((shift) => (inside ? (shade + ((seed >> shift) & 127)) >> 1 : shade));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** The file with the pixels of another: what somebody does who paints over a picture and keeps the rest. */
function paintedOver(file: Uint8Array, other: Uint8Array): Buffer {
  const pixels = chunksOf(other).find(({ type }) => type === 'IDAT')?.bytes ?? Buffer.alloc(0);
  const chunks = chunksOf(file).map(({ type, bytes }) => (type === 'IDAT' ? pixels : bytes));
  return Buffer.concat([file.subarray(0, SIGNATURE_BYTES), ...chunks]);
}

const SIGNATURE_BYTES = 8;
/** Length, type and checksum around a chunk's data. */
const AROUND = 12;

function chunksOf(file: Uint8Array): { type: string; bytes: Buffer }[] {
  const buffer = Buffer.from(file);
  const chunks: { type: string; bytes: Buffer }[] = [];
  for (let at = SIGNATURE_BYTES; at < buffer.length; ) {
    const end = at + AROUND + buffer.readUInt32BE(at);
    chunks.push({ type: buffer.toString('latin1', at + 4, at + 8), bytes: buffer.subarray(at, end) });
    at = end;
  }
  return chunks;
}
