import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { buildPages } from './build-pages.ts';

let packages: string;
const told: string[] = [];
const build = () => buildPages((line) => told.push(line), packages);

beforeEach(() => {
  packages = mkdtempSync(join(tmpdir(), 'touchstone-web-'));
  told.length = 0;
  mkdirSync(join(packages, 'web/src'), { recursive: true });
  writeFileSync(join(packages, 'web/src/main.ts'), '');
  const source = `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('${packages}/web/dist', { recursive: true });
writeFileSync('${packages}/web/dist/pages.json', '{}');`;
  writeFileSync(join(packages, 'web/build.ts'), source);
  return () => rmSync(packages, { recursive: true, force: true });
});

it('builds what is missing, and reports it', async () => {
  await build();
  await build();
  expect(told).toHaveLength(1);
  rmSync(join(packages, 'web/dist/pages.json'));
  await build();
  expect(told).toHaveLength(2);
});

it('says why they cannot be built, and continues', async () => {
  writeFileSync(join(packages, 'web/build.ts'), 'throw new Error("there is no Vite")');
  await build();
  expect(told[1]).toContain('there is no Vite');
});

it('has nothing to do in the published package', async () => {
  rmSync(join(packages, 'web/build.ts'));
  await build();
  expect(told).toEqual([]);
});
