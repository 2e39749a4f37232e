import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from './imports.ts';

export const OPERATOR_KEY = 'operator-key-for-stress';

/** A service in a separate process, as an operator starts it. */
export interface ServeProcess {
  readonly url: string;
  readonly pid: number;
  /** Its output so far, of both streams. */
  output(): string;
  /** The exit code or signal, when it has ended. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  kill(signal: NodeJS.Signals): void;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts `touchstone serve` and returns at once; `untilReady` waits for it. */
export function spawnServe(settings: {
  port: number;
  dataDir: string;
  env?: Record<string, string>;
}): ServeProcess {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(ROOT, 'packages/cli/bin/touchstone.js'), 'serve'],
    {
      env: {
        PATH: process.env.PATH ?? '',
        TOUCHSTONE_PORT: String(settings.port),
        TOUCHSTONE_DATA_DIR: settings.dataDir,
        TOUCHSTONE_OPERATOR_KEY: OPERATOR_KEY,
        TOUCHSTONE_LOG_LEVEL: 'warn',
        // one process starts faster, for tests that are not about processes
        TOUCHSTONE_PROCESSES: '1',
        ...settings.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  return {
    url: `http://127.0.0.1:${settings.port}`,
    pid: child.pid ?? -1,
    output: () => output,
    ended: once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null),
    kill: (signal) => child.kill(signal),
  };
}

/** Waits until the service reports that it is ready; throws with its output if it ends or takes too long. */
export async function untilReady(service: ServeProcess, milliseconds = 240_000): Promise<void> {
  let ended = false;
  void service.ended.then(() => (ended = true));
  const deadline = performance.now() + milliseconds;
  while (performance.now() < deadline && !ended) {
    const response = await fetch(`${service.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => null,
    );
    await response?.body?.cancel();
    if (response?.status === 200) return;
    await delay(50);
  }
  throw new Error(`the service ${ended ? 'ended' : 'was not ready in time'}:\n${service.output()}`);
}

/** One call of the registry with the operator's key. */
export async function registry(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}/api/v1/registry${path}`, {
    method,
    headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(20_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}
