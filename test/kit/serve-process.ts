import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from './imports.ts';
import { PATIENT } from './patience.ts';

const OPERATOR_KEY = 'operator-key-for-stress';

/** A service in a separate process, as an operator starts it. */
export interface ServeProcess {
  readonly url: string;
  readonly operatorKey: string;
  readonly pid: number;
  /** Its output so far, of both streams. */
  output(): string;
  /** The exit code or signal, when it has ended. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  kill(signal: NodeJS.Signals): void;
  /** Ends it, by SIGKILL if it has not ended 20 seconds after SIGTERM. */
  stop(): Promise<void>;
}

/** Starts `touchstone serve` and returns at once; `untilReady` waits for it. */
export function spawnServe(settings: {
  port: number;
  dataDir: string;
  env?: Record<string, string>;
  /** The checkout to run; absent: this one. */
  root?: string;
}): ServeProcess {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(settings.root ?? ROOT, 'packages/cli/bin/touchstone.js'), 'serve'],
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
  const ended = once(child, 'exit').then(
    ([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null,
  );
  return {
    url: `http://127.0.0.1:${settings.port}`,
    operatorKey: OPERATOR_KEY,
    pid: child.pid ?? -1,
    output: () => output,
    ended,
    kill: (signal) => child.kill(signal),
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Waits until the service reports that it is ready; throws with its output if it ends or takes too long. */
export async function untilReady(
  service: ServeProcess,
  milliseconds: number = PATIENT.timeout,
): Promise<void> {
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
