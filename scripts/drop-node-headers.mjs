// Deletes the C++ headers in the npm package of Node: 67 MB that only native builds need, of which there are none here. Runs after `npm
// ci`, with any Node version of the machine.
import { existsSync, readdirSync, rmSync } from 'node:fs';

const packages = 'node_modules/node/node_modules';
if (existsSync(packages)) {
  for (const entry of readdirSync(packages, { withFileTypes: true })) {
    // there is also a lock file
    if (entry.isDirectory()) rmSync(`${packages}/${entry.name}/include`, { recursive: true, force: true });
  }
}
