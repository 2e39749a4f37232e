// Builds the pages after `npm ci`. Never fails an installation: without them the service runs, and says how to build them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const there = ['packages/web/build.ts', 'node_modules/vite/package.json', 'node_modules/.bin/node'].every(
  existsSync,
);
// on the Node of node_modules: the machine's may be too old to run TypeScript
const built =
  there && spawnSync('node_modules/.bin/node', ['packages/web/build.ts'], { stdio: 'inherit' }).status === 0;
if (!built)
  console.log('The pages are not built; "npm run build:pages" builds them, or the start of the service.');
