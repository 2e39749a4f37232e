import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

const MB = 1_000_000;

/** Pages that are expensive to read: as large as a fetch allows, or small and deep. */
export const HEAVY_PAGES: Readonly<Record<string, () => string>> = {
  paragraphs: () => '<p>'.repeat(1_666_000),
  nested: () => '<div>'.repeat(40_000),
  blocks: () => '<script type="application/ld+json">{"@type":"Product","name":"x"}</script>'.repeat(10_000),
  attribute: () => `<div title="${'x'.repeat(MB)}">`.repeat(4),
  attributes: () => {
    const names = Array.from({ length: 250 }, (_, n) => `a${n}=b`).join(' ');
    return `<a ${names}>`.repeat(3_000);
  },
  broken: () => `<script type="application/ld+json">${'[1,'.repeat(600_000)}</script>`,
};

/** Small when compressed, up to 200 MB when decompressed; a chain of codings is decoded from the right. */
export const BOMBS: Readonly<Record<string, () => { readonly coding: string; readonly bytes: Uint8Array }>> =
  {
    gzip: () => ({ coding: 'gzip', bytes: gzipSync(zeros(200)) }),
    deflate: () => ({ coding: 'deflate', bytes: deflateSync(zeros(200)) }),
    br: () => ({ coding: 'br', bytes: brotli(zeros(200)) }),
    zstd: () => ({ coding: 'zstd', bytes: zstdCompressSync(zeros(200)) }),
    'gzip, gzip': () => ({ coding: 'gzip, gzip', bytes: gzipSync(gzipSync(zeros(200))) }),
    'gzip, br, zstd': () => ({
      coding: 'gzip, br, zstd',
      bytes: zstdCompressSync(brotli(gzipSync(zeros(200)))),
    }),
  };

function zeros(megabytes: number): Uint8Array {
  return Buffer.alloc(megabytes * MB, 'a');
}

function brotli(bytes: Uint8Array): Uint8Array {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}
