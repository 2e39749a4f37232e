import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { superviseProcesses } from './supervisor.ts';

test('each process learns how many requests the others answer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-processes-'));
  const processes = superviseProcesses({
    entry: new URL('./testing/loaded-process.ts', import.meta.url),
    count: 3,
    orderFor: async (number) => ({ number, folder }),
    beforeListening: async () => ({ addresses: [], port: 0 }),
    account: undefined,
    env: {},
    logger: pino({ level: 'silent' }),
    shutdownDelay: 0,
    onEnd: () => {},
    ownMetrics: async () => [],
  });
  try {
    await processes.ready;
    await expect.poll(() => readdir(folder)).toEqual(['2', '3']);
    // a file is there before its content
    const heard = async () => JSON.parse(await readFile(join(folder, '2'), 'utf8'));
    await expect.poll(heard).toEqual({ utilization: 0.5 });
  } finally {
    await processes.close();
    await rm(folder, { recursive: true });
  }
});
