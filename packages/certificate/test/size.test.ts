import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** Bytes that a browser loads for these exports: bundled, minified, gzipped. */
async function sizeOf(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: new URL('..', import.meta.url).pathname },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
}

it.each([
  [
    'the verify path by itself',
    12_800,
    `export { verify, verifyProof, createKeySet } from './src/verify/index.ts'`,
  ],
  [
    'everything for the Standard profile',
    14_848,
    `export { verifyProductCertificate } from './src/index.ts'`,
  ],
  [
    'all profiles with keys fetched and kept',
    16_896,
    `export { verifyProductCertificate, verifyByProfile, createTrust } from './src/index.ts'`,
  ],
  [
    'looking up withdrawals besides',
    18_944,
    `export { verifyProductCertificate, createTrust } from './src/index.ts';
     export { createStatusLists, withWithdrawal } from './src/withdrawal/index.ts'`,
  ],
  [
    'verifying that a proof is logged besides',
    19_456,
    `export { verifyProductCertificate } from './src/index.ts';
     export { parsePolicy, verifyLogProof, withLog } from './src/log/index.ts'`,
  ],
])('keeps %s under %i bytes gzipped', async (name, limit, contents) => {
  const bytes = await sizeOf(contents);
  console.info(`${name}: ${bytes} bytes gzipped`);
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThan(limit);
});
