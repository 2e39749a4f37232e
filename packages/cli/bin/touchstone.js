#!/usr/bin/env node
// In the project the sources are TypeScript, which Node runs from 22.18 on; an older one hands over to the Node that
// the project carries. (npm scripts find that one first by themselves.) What is published is JavaScript.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const entry = new URL('../src/index.ts', import.meta.url).href;

if (process.features.typescript || !entry.endsWith('.ts')) {
  const isService = process.argv[2] === 'serve';
  if (isService) startAgainWithSettings();
  await import((isService ? builtService() : undefined) ?? entry);
} else {
  const carried = createRequire(import.meta.url).resolve('node/bin/node');
  const child = spawn(carried, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // Ctrl-C reaches the whole group: passed on as well, it would be the second one, which ends at once
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 130);
  });
}

/**
 * Starts this process again, in its place, with an allocator that gives large blocks back to the system: glibc would
 * keep what one hostile page of 5 MB took, and V8 a nursery of 134 MB and garbage of four times what is in use. And with a
 * cache of compiled modules in the data folder, which halves what a start costs. Who sets these, or is not on Linux, keeps
 * what they have.
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
 * Not in /tmp, where others may write: what is cached there is run. Each user has its own. Node goes without where the folder
 * cannot be written to; the data folder itself is the service's to make.
 */
function compileCache() {
  const dataDir = process.env.TOUCHSTONE_DATA_DIR?.trim() || './data';
  if (!existsSync(dataDir)) return {};
  return { NODE_COMPILE_CACHE: resolve(dataDir, 'compile-cache', String(process.getuid?.() ?? 0)) };
}

/**
 * The service in a few files, which load in a fraction of the time (scripts/build-service.ts), where they were made of exactly
 * the sources that are here: who edits one, or updates a dependency, runs the sources. Published packages have no such files.
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
  // stack traces name the sources
  process.setSourceMapsEnabled(true);
  return new URL('serve.js', folder).href;
}
