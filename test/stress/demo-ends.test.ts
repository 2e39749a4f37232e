import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort, rawServer } from '../kit/servers.ts';

const BIN = join(import.meta.dirname, '../../packages/cli/bin/touchstone.js');
/** An uncaught exception when the process gets SIGUSR2. */
const FAULT = 'process.on("SIGUSR2", () => { throw new Error("out of the blue"); })';

let folder: string;
let demo: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-ends-'));
});
afterEach(async () => {
  demo?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

interface Running {
  /** Resolves when the output contains these words. */
  said(words: string): Promise<void>;
  readonly ended: Promise<unknown[]>;
}

async function start(argv: readonly string[] = []): Promise<Running> {
  const child = spawn(process.execPath, [`--import=data:text/javascript,${FAULT}`, BIN, 'demo', ...argv], {
    env: { PATH: process.env.PATH ?? '', TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  demo = child;
  let text = '';
  child.stdout.on('data', (piece) => (text += String(piece)));
  child.stderr.on('data', (piece) => (text += String(piece)));
  const ended = once(child, 'exit');
  const said = async (words: string) => {
    while (!text.includes(words)) {
      if (child.exitCode !== null) throw new Error(`it ended: ${text}`);
      await delay(20);
    }
  };
  return { said, ended };
}

/** Processes with the folder as working directory: its database, if it still runs. Linux only. */
async function processesThere(): Promise<string[]> {
  if (platform() !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const standing = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return standing.filter((cwd) => cwd.startsWith(folder));
}

const left = async () => [await readdir(folder), await processesThere()];

describe('the demo leaves neither a folder nor a database behind', () => {
  it.each([
    ['SIGTERM', 'Starting the service', 3],
    ['SIGINT', 'products sent', 3],
    ['SIGHUP', 'stay up until Ctrl-C', 0],
    ['SIGUSR2', 'Starting the service', 3],
    ['SIGUSR2', 'stay up until Ctrl-C', 3],
  ] as const)('when %s comes after "%s"', async (end, moment, code) => {
    const running = await start(['--port', String(await freePort())]);
    await running.said(moment);
    demo?.kill(end);
    expect(await running.ended).toEqual([code, null]);
    expect(await left()).toEqual([[], []]);
  });

  it('when npm passes on the Ctrl-C that the terminal has also sent to the demo', async () => {
    const running = await start(['--port', String(await freePort())]);
    await running.said('stay up until Ctrl-C');
    demo?.kill('SIGINT');
    await delay(2);
    demo?.kill('SIGINT');
    expect(await running.ended).toEqual([0, null]);
    expect(await left()).toEqual([[], []]);
  });

  it('when the port of its shop is in use', async () => {
    const taken = await rawServer(() => {});
    const running = await start(['--port', String(taken.port - 1)]);
    expect(await running.ended).toEqual([3, null]);
    expect(await left()).toEqual([[], []]);
    await taken.close();
  });
});
