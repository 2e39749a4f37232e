import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './kit/imports.ts';
import { freePort } from './kit/servers.ts';

describe('npm start: the service stops its database and ends', () => {
  it(
    'when only npm gets a signal, as from a process manager',
    async () => expect(await endsBy((pid) => process.kill(pid, 'SIGTERM'))).toEqual([0, null]),
    120_000,
  );

  it(
    'when a terminal signals all processes, and npm passes the signal on as well',
    () => endsBy((pid) => process.kill(-pid, 'SIGINT')),
    120_000,
  );
});

/** @returns how npm ended */
async function endsBy(tell: (npm: number) => void): Promise<unknown[]> {
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
    detached: true, // a separate group, so that remaining processes can be killed
  });
  const ended = once(npm, 'exit');
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    await expect.poll(isReady, { interval: 100 }).toBe(true);
    tell(npm.pid ?? 0);
    const how = await ended;
    expect(await isReady()).toBe(false);
    // PostgreSQL removes it on an orderly shutdown
    await expect.poll(() => existsSync(join(folder, 'postgres/postmaster.pid'))).toBe(false);
    return how;
  } finally {
    if (npm.exitCode === null || (await isReady())) process.kill(-(npm.pid ?? 0), 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}
