#!/usr/bin/env node
// The sources are TypeScript, which Node runs from 22.18 on; an older one hands over to the Node that comes as a
// dependency. (npm scripts find that one first by themselves.)
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

if (process.features.typescript) {
  await import('../src/index.ts');
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
