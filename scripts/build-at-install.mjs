// Builds the pages and what merchants install, and bundles the service, after `npm ci`. Never fails an installation: without the pages the service runs, and says how to
// build them; without the bundle it runs from its sources.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// with the Node of node_modules: the machine's may be too old to run TypeScript
const node = 'node_modules/.bin/node';

function build(script, tool) {
  return (
    [script, `node_modules/${tool}/package.json`, node].every((file) => existsSync(file)) &&
    spawnSync(node, [script], { stdio: 'inherit' }).status === 0
  );
}

if (!build('packages/web/build.ts', 'vite'))
  console.log('The pages are not built; "npm run build:pages" builds them, or the start of the service.');
if (!build('scripts/build-downloads.ts', 'typescript'))
  console.log('What merchants install is not built; "npm run build:downloads" builds it.');
if (!build('scripts/build-service.ts', 'esbuild'))
  console.log('The service is not built, so it starts from its sources; "npm run build:service" builds it.');
