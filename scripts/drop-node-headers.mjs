// The npm package of Node carries its C++ headers, 67 MB that only native builds read; nothing here is built.
// Runs after `npm ci`, under whatever Node the machine has.
import { existsSync, readdirSync, rmSync } from 'node:fs';

const packages = 'node_modules/node/node_modules';
if (existsSync(packages)) {
  for (const entry of readdirSync(packages, { withFileTypes: true })) {
    // beside the packages lies a lock file
    if (entry.isDirectory()) rmSync(`${packages}/${entry.name}/include`, { recursive: true, force: true });
  }
}
