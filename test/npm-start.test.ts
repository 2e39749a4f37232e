import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './support/imports.ts';
import { freePort } from './support/serve-process.ts';

it('npm start: the service ends when npm is told to, since a process manager knows of no other process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-npm-'));
  const port = await freePort();
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      TOUCHSTONE_DATA_DIR: folder,
      TOUCHSTONE_PORT: String(port),
    },
    stdio: 'ignore',
    detached: true, // a group of its own, so that what it might leave can be ended
  });
  const ended = once(npm, 'exit');
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    await expect.poll(isReady, { timeout: 60_000, interval: 100 }).toBe(true);
    npm.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await isReady()).toBe(false);
  } finally {
    if (npm.exitCode === null || (await isReady())) process.kill(-(npm.pid ?? 0), 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
