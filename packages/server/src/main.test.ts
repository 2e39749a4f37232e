import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let dataDir: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'touchstone-main-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts the service in a separate process, with an embedded database in the test's folder. */
async function serve(): Promise<{ child: ChildProcess; url: string | undefined; said: () => string }> {
  const main = new URL('./main.ts', import.meta.url).href;
  const program = `const { serveUntilStopped } = await import(${JSON.stringify(main)});
    const stop = new AbortController();
    process.once('SIGTERM', () => stop.abort());
    await serveUntilStopped(stop.signal).catch((error) => { console.error(error.name + ': ' + error.message); process.exitCode = 3; });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: {
      PATH: process.env.PATH,
      TOUCHSTONE_DATA_DIR: dataDir,
      TOUCHSTONE_PORT: '0',
      TOUCHSTONE_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const exited = once(child, 'exit');
  const isReady = new Promise<void>((resolve) => {
    child.stderr?.on('data', () => said.includes('ready at') && resolve());
  });
  await Promise.race([isReady, exited]);
  return { child, url: /ready at (\S+)/.exec(said)?.[1], said: () => said };
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

/** Processes that work in the test's folder. */
async function databaseProcesses(): Promise<number> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes('postgres') && line.includes(dataDir)).length;
}

test('one service per folder; on a signal it drains and ends; the next start repairs what a killed one left', async () => {
  const first = await serve();
  expect(first.url).toBeDefined();
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);

  const second = await serve();
  expect(await exitOf(second.child)).toBe(3);
  expect(second.said()).toMatch(/^StartError: /);
  expect(second.said()).toContain(String(first.child.pid));

  // a request that never ends keeps the drain waiting
  const { port, hostname } = new URL(first.url ?? '');
  const hanging = connect(Number(port), hostname);
  hanging.on('error', () => undefined);
  const path = '/api/v1/mc4p/page-checks';
  hanging.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  );
  await once(hanging, 'connect');
  await fetch(`${first.url}/healthz`);
  first.child.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(first.child.exitCode).toBeNull();
  first.child.kill('SIGKILL');
  await exitOf(first.child);

  const third = await serve();
  expect((await fetch(`${third.url}/readyz`)).status).toBe(200);
  expect(third.said()).not.toContain('Operator key');
  third.child.kill('SIGTERM');
  expect(await exitOf(third.child)).toBe(0);
  // the watchdog of the one that was killed stays for the time in which the next may adopt its server
  await expect.poll(databaseProcesses, { interval: 500 }).toBe(0);
});
