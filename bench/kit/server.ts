import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../test/kit/servers.ts';

/** A server in a separate process. */
export interface Server {
  readonly port: number;
  /** Processor time used by all its threads, in microseconds. */
  cpu(): Promise<number>;
  close(): Promise<void>;
}

export interface Service extends Server {
  readonly url: string;
  /** Calls an operation as operator. @throws Error with an error response */
  call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Processor time used by each of its processes except PostgreSQL, in microseconds. */
  cpuOfEach(): Promise<ReadonlyMap<number, number>>;
  /** The same for all processes, including those of PostgreSQL. */
  cpuWithDatabase(): Promise<number>;
  /**
   * Peak memory of its processes except PostgreSQL in MB, added up; pages mapped from the same files, which are the program itself, count
   * once.
   */
  peakMemory(): Promise<number>;
}

export const THIS_CHECKOUT = join(import.meta.dirname, '../..');

export const OPERATOR_KEY = 'bench-operator-key-of-this-run';
/** Polls until it has started, 20 ms apart. */
const PATIENCE = 3_000;

export interface ServiceOptions {
  /** Data folder; the caller removes it. */
  readonly folder: string;
  /** The checkout to start, installed; default: this one. */
  readonly root?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts the service as an operator does: `touchstone serve`, including its database, in one process. */
export async function startService({
  folder,
  root = THIS_CHECKOUT,
  settings = {},
}: ServiceOptions): Promise<Service> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(root, 'packages/cli/bin/touchstone.js'), 'serve'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      TOUCHSTONE_PORT: String(port),
      TOUCHSTONE_DATA_DIR: folder,
      TOUCHSTONE_BASE_URL: 'https://certificates.example',
      TOUCHSTONE_OPERATOR_KEY: OPERATOR_KEY,
      TOUCHSTONE_LOG_LEVEL: 'warn',
      TOUCHSTONE_IMAGE_CONCURRENT: '0',
      TOUCHSTONE_CERTIFICATES_AHEAD: 'false',
      TOUCHSTONE_SWEEPS: 'false',
      TOUCHSTONE_PROCESSES: '1',
      ...settings,
    },
  });
  for (let patience = PATIENCE; !(await isReady(url)); patience -= 1) {
    if (patience > 0 && child.exitCode === null) await delay(20);
    else {
      await end(child);
      throw new Error(`The service in ${root} does not start.`);
    }
  }
  return {
    port,
    url,
    call: (method, path, body) => call(url, method, path, body),
    cpu: () => cpuOf(child),
    cpuOfEach: () => cpuOfEach(child),
    cpuWithDatabase: () => cpuWithDatabase(child),
    peakMemory: () => peakMemoryOf(child),
    close: () => end(child),
  };
}

/** Starts a program of `bench/bare`, which reports its port (`serve.ts`). */
export async function startBare(name: string, ...args: readonly string[]): Promise<Server> {
  const child = fork(join(import.meta.dirname, '../bare', name), [...args]);
  const [port] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${name} does not start.`))),
  ])) as [number];
  return { port, cpu: () => cpuOf(child), close: () => end(child) };
}

/** Processor time of a process and its descendants except PostgreSQL, which Linux counts per thread. */
async function cpuOf(child: { readonly pid?: number | undefined }): Promise<number> {
  return [...(await cpuOfEach(child)).values()].reduce((sum, microseconds) => sum + microseconds, 0);
}

async function cpuOfEach({ pid }: { readonly pid?: number | undefined }): Promise<Map<number, number>> {
  const each = new Map<number, number>();
  for (const id of await processesOf(pid)) each.set(id, await cpuOfProcess(id));
  return each;
}

async function cpuOfProcess(pid: number): Promise<number> {
  let microseconds = 0;
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const counted = await readOr0(`/proc/${pid}/task/${thread}/schedstat`);
    microseconds += Number.parseInt(counted, 10) / 1_000;
  }
  return microseconds;
}

/** Microseconds of a clock tick, the unit of the processor time of ended processes. */
const TICK = 10_000;

/** PostgreSQL starts processes that end again; their time is counted for their parent. */
async function cpuWithDatabase({ pid }: { readonly pid?: number | undefined }): Promise<number> {
  let microseconds = 0;
  for (const id of await processesOf(pid, () => true)) {
    const stat = await readOr0(`/proc/${id}/stat`);
    const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(14, 16).map(Number);
    microseconds += (await cpuOfProcess(id)) + (user + system) * TICK;
  }
  return microseconds;
}

async function peakMemoryOf({ pid }: { readonly pid?: number | undefined }): Promise<number> {
  let own = 0;
  let shared = 0;
  for (const id of await processesOf(pid)) {
    const status = await readOr0(`/proc/${id}/status`);
    const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0);
    own += kilobytes('VmHWM') - kilobytes('RssFile');
    shared = Math.max(shared, kilobytes('RssFile'));
  }
  return (own + shared) / 1_000;
}

const isNoDatabase = (name: string) => !name.startsWith('postgres');

async function processesOf(pid: number | undefined, counts = isNoDatabase): Promise<number[]> {
  const name = await readFile(`/proc/${pid}/comm`, 'latin1').catch(() => undefined);
  if (pid === undefined || name === undefined || !counts(name)) return [];
  const found = [pid];
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const children = (await readOr0(`/proc/${pid}/task/${thread}/children`)).split(' ').map(Number);
    for (const child of children.filter((id) => id > 0)) found.push(...(await processesOf(child, counts)));
  }
  return found;
}

/** A thread may end while its files are read. */
async function readOr0(path: string): Promise<string> {
  return (await readFile(path, 'latin1').catch(() => '')) || '0';
}

async function call(
  url: string,
  method: string,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${OPERATOR_KEY}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

export async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}
