import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleService } from './bundle-service.ts';

// Bundles the service. Run by `npm ci` and `npm run build:service`; `touchstone serve` uses the bundle only while it matches the sources. An
// argument names another folder, for tests.

const ROOT = resolve(import.meta.dirname, '..');

await bundleService(resolve(process.argv[2] ?? join(ROOT, 'packages/cli/dist/service')), {
  root: ROOT,
  place: (source) => `packages/${source}`,
  record: (paths) =>
    paths.map((path) => {
      const { size, mtimeMs } = statSync(join(ROOT, path));
      return [path, size, mtimeMs];
    }),
});
