#!/usr/bin/env node
// In the repository the sources are TypeScript, which Node runs from 22.18 on; an older Node starts the one installed with the project.
// (npm scripts find that one first by themselves.) The published package is JavaScript.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const entry = new URL('../src/index.ts', import.meta.url).href;

if (process.features.typescript || !entry.endsWith('.ts')) {
  const isService = process.argv[2] === 'serve';
  if (isService) startAgainWithSettings();
  await import((isService ? builtService() : undefined) ?? entry);
} else {
  const child = spawn(carriedNode(), process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // Ctrl-C reaches the whole process group; passing it on would count as the second one, which ends the process at once
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 130);
  });
}

/** The Node installed with the project; without it, says in one line which one is needed. */
function carriedNode() {
  const node = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));
  if (existsSync(node)) return node;
  process.stderr.write(
    `error: The sources need Node 22.18 or newer, and this is Node ${process.versions.node}; "npm ci" installs one beside them.\n`,
  );
  process.exit(3);
}

/**
 * Restarts this process in its place with an allocator that returns large blocks to the system (glibc would keep the memory of one hostile
 * page of 5 MB, V8 a nursery of 134 MB and garbage of four times the live heap), and with a compile cache in the data folder, which halves
 * the start time. Settings of the user are kept, and outside Linux nothing is changed.
 */
function startAgainWithSettings() {
  const heap = ['--max-semi-space-size=16', '--heap-growing-percent=50'];
  if (
    process.platform !== 'linux' ||
    process.execve === undefined ||
    process.env.MALLOC_ARENA_MAX !== undefined
  )
    return;
  const args = [...heap, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, [process.execPath, ...args], {
    ...compileCache(),
    ...process.env,
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: String(1024 * 1024),
    MALLOC_TRIM_THRESHOLD_: String(4 * 1024 * 1024),
  });
}

/**
 * Not in /tmp, where others may write: cached code is executed. One per user. Node runs without a cache if the folder cannot be written to;
 * the data folder itself is created by the service.
 */
function compileCache() {
  const dataDir = process.env.TOUCHSTONE_DATA_DIR?.trim() || './data';
  if (!existsSync(dataDir)) return {};
  return { NODE_COMPILE_CACHE: resolve(dataDir, 'compile-cache', String(process.getuid?.() ?? 0)) };
}

/**
 * The bundled service, which loads in a fraction of the time (scripts/build-service.ts), if it was built from exactly the present sources:
 * after an edit or an updated dependency the sources run. Packages on npm contain no bundle; that of Debian's package was made from
 * files that nobody edits, and records none.
 */
function builtService() {
  const folder = new URL('../dist/service/', import.meta.url);
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  try {
    const sources = JSON.parse(readFileSync(new URL('sources.json', folder), 'utf8'));
    const isUnchanged = ([path, size, mtimeMs]) => {
      const found = statSync(root + path);
      return found.size === size && found.mtimeMs === mtimeMs;
    };
    if (!sources.every(isUnchanged)) return undefined;
  } catch {
    return undefined;
  }
  // stack traces name the source files
  process.setSourceMapsEnabled(true);
  return new URL('serve.js', folder).href;
}
