import { Readable } from 'node:stream';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseContentEncoding, readDecoded } from './decode.ts';

const LIMIT = 100_000;
const ENCODERS: Record<string, (data: Uint8Array) => Buffer> = {
  gzip: gzipSync,
  deflate: deflateSync,
  // the default quality takes a second for a bomb
  br: (data) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: zstdCompressSync,
};
const PAGE = Buffer.from(`<html>${'a page '.repeat(500)}`);

function inChunks(data: Uint8Array, size = 1_000): Readable {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; at += size) parts.push(Buffer.from(data.subarray(at, at + size)));
  return Readable.from(parts);
}

const readBody = (body: Readable, codings: readonly string[], limit: number) =>
  readDecoded({ headers: { 'content-encoding': codings.join(', ') }, body }, limit);

function encode(data: Uint8Array, codings: readonly string[]): Buffer {
  let bytes = Buffer.from(data);
  for (const coding of codings) bytes = Buffer.from(ENCODERS[coding]?.(bytes) ?? []);
  return bytes;
}

describe('a body is decoded to its original', () => {
  it.each([
    [[]],
    [['gzip']],
    [['deflate']],
    [['br']],
    [['zstd']],
    [['gzip', 'br']],
    [['br', 'deflate', 'zstd']],
  ])('with codings %j', async (codings) => {
    const body = await readBody(inChunks(encode(PAGE, codings), 7), codings, LIMIT);
    expect(Buffer.from(body).equals(PAGE)).toBe(true);
  });

  it('with deflate sent raw', async () => {
    const body = await readBody(inChunks(deflateRawSync(PAGE)), ['deflate'], LIMIT);
    expect(Buffer.from(body).equals(PAGE)).toBe(true);
  });

  it('if it is empty', async () => {
    expect(await readBody(Readable.from([]), ['gzip'], LIMIT)).toHaveLength(0);
  });

  it('up to the last byte of the limit', async () => {
    expect(await readBody(inChunks(gzipSync(Buffer.alloc(LIMIT))), ['gzip'], LIMIT)).toHaveLength(LIMIT);
  });
});

describe('a decompression bomb is stopped at the limit', () => {
  it.each([
    [[]],
    [['gzip']],
    [['deflate']],
    [['br']],
    [['zstd']],
    [['gzip', 'gzip']],
    [['br', 'gzip', 'zstd']],
  ])('with codings %j', async (codings) => {
    const bomb = encode(Buffer.alloc(20_000_000), codings);
    const source = inChunks(bomb);
    await expect(readBody(source, codings, LIMIT)).rejects.toMatchObject({ code: 'too_large' });
    expect(source.destroyed).toBe(true);
  });

  it('even if only its outer layer exceeds it', async () => {
    const inner = Buffer.concat(Array.from({ length: 20_000 }, () => gzipSync('')));
    await expect(readBody(inChunks(gzipSync(inner)), ['gzip', 'gzip'], LIMIT)).rejects.toMatchObject({
      code: 'too_large',
    });
  });

  it('even if it is an endless stream of empty blocks', async () => {
    const emptyBlock = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff]);
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.concat(Array.from({ length: 200 }, () => emptyBlock));
      })(),
    );
    await expect(readBody(endless, ['deflate'], LIMIT)).rejects.toMatchObject({ code: 'too_large' });
    expect(endless.destroyed).toBe(true);
  });
});

describe('damage is reported, never ignored', () => {
  it.each(['gzip', 'deflate', 'br', 'zstd'])('%s, truncated', async (coding) => {
    const whole = encode(PAGE, [coding]);
    const cut = inChunks(whole.subarray(0, whole.length - 6));
    await expect(readBody(cut, [coding], LIMIT)).rejects.toMatchObject({ code: 'encoding_broken' });
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])('%s that is something else', async (coding) => {
    const page = inChunks(Buffer.from('<html>not compressed at all</html>'));
    await expect(readBody(page, [coding], LIMIT)).rejects.toMatchObject({ code: 'encoding_broken' });
  });

  it('a broken connection is not taken for damage', async () => {
    const broken = Readable.from(
      (function* () {
        yield gzipSync(PAGE).subarray(0, 20);
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      })(),
    );
    await expect(readBody(broken, ['gzip'], LIMIT)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('a zstd window larger than the web allows', async () => {
    // frame header (RFC 8878 section 3.1.1.1): window descriptor of 2^27 bytes, then an empty last block
    const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 17 << 3, 0x01, 0x00, 0x00]);
    await expect(readBody(inChunks(frame), ['zstd'], LIMIT)).rejects.toMatchObject({
      code: 'encoding_broken',
    });
  });
});

describe('Content-Encoding', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['identity', []],
    ['GZIP', ['gzip']],
    ['x-gzip', ['x-gzip']],
    ['br , gzip', ['br', 'gzip']],
    ['identity, gzip, identity', ['gzip']],
  ])('%s reads as %j', (header, codings) => expect(parseContentEncoding(header)).toEqual(codings));

  it.each(['compress', 'gzip;q=1', 'gzip, rot13', 'gzip, gzip, gzip, gzip', '__proto__', 'constructor'])(
    '%s is refused',
    (header) => expect(() => parseContentEncoding(header)).toThrow('encoding_unsupported'),
  );
});
