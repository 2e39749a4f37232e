/**
 * The service in a separate process, so that crashes and memory can be measured. Started by service-process.ts; its resolver knows no
 * names, and its dialer connects to loopback only.
 */
import { Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Dialer, dialTcp, type Resolver } from '@touchstone/fetch';
import { readConfig, startService } from '@touchstone/server';
import type { ChildAnswer, ChildOrder, ChildStart } from './service-process.ts';

const { settings, timeouts } = JSON.parse(process.argv[2] ?? '{}') as ChildStart;
const dials: string[] = [];
const lookups: string[] = [];
const faults: string[] = [];

const resolver: Resolver = {
  async resolve(host) {
    lookups.push(host);
    return { kind: 'unknown' };
  },
};

const dialer: Dialer = (address, port) => {
  if (address === '127.0.0.1' || address === '::1') return dialTcp(address, port);
  const socket = new Socket();
  setImmediate(() => socket.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
  return socket;
};

/** Log levels of the service for its own bugs. */
const BUGS = ['error', 'fatal'];

const service = await startService(readConfig(settings), {
  durable: false,
  resolver,
  resolveTxt: async () => ({ records: [] }),
  dialer,
  onDial: (address, port, host) => void dials.push(`${host} ${address} ${port}`),
  logDestination: {
    write(line) {
      if (BUGS.includes((JSON.parse(line) as { level: string }).level)) faults.push(line);
    },
  },
  ...(timeouts === undefined ? {} : { timeouts }),
});

function answer(message: ChildAnswer): void {
  process.send?.(message);
}

function cpu(): ChildAnswer {
  const { user, system } = process.threadCpuUsage();
  return { kind: 'cpu', used: (user + system) / 1000 };
}

const delays = monitorEventLoopDelay({ resolution: 10 });

function delay(): ChildAnswer {
  // nothing is measured before it is first asked for
  const longest = delays.count === 0 ? 0 : delays.max / 1e6;
  delays.enable();
  delays.reset();
  return { kind: 'delay', longest };
}

async function memory(): Promise<ChildAnswer> {
  for (let turn = 0; turn < 4; turn++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { kind: 'memory', rss, heapUsed, external };
}

process.on('message', async (order: ChildOrder) => {
  if (order === 'memory') answer(await memory());
  else if (order === 'cpu') answer(cpu());
  else if (order === 'delay') answer(delay());
  else if (order === 'told') answer({ kind: 'told', dials, lookups, faults });
  else {
    await service.close();
    process.disconnect();
  }
});
// ends when its parent has ended
process.on('disconnect', () => setTimeout(() => process.exit(), 5_000).unref());

answer({ kind: 'ready', url: service.url, operatorKey: service.operatorKey ?? '' });
