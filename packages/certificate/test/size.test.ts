import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('keeps the verify path by itself under 8 KB gzipped', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { verify, verifyProof, createKeySet } from './src/verify/index.ts'`,
      resolveDir: new URL('..', import.meta.url).pathname,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
  console.info(`verify path: ${bytes} bytes gzipped`);
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThan(8192);
});
