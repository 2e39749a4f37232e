import { chmod, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { claimPort } from '../http/listen.ts';
import { accountFor } from './account.ts';
import { superviseProcesses } from './supervisor.ts';
import type { Findings, Intrusion } from './testing/intruding-process.ts';

const HOST = '127.0.0.1';
const entry = new URL('./testing/intruding-process.ts', import.meta.url);
const isRoot = process.getuid?.() === 0;

describe.runIf(process.platform === 'linux')('code of an attacker in a process that answers', () => {
  const folder = useFolder('intrusion');
  let closed: string;
  let found: Findings;
  let refusals: number;
  const hexOf = (name: string) =>
    BigInt(`0x${new RegExp(`^${name}:\\s+(\\w+)`, 'm').exec(found.status)?.[1] ?? ''}`);

  beforeAll(async () => {
    await chmod(folder, 0o711);
    const written = join(folder, 'written');
    await mkdir(written);
    await chmod(written, 0o777);
    closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const [port, other] = [await claimPort(HOST, 0), await claimPort(HOST, 0)];
    const report = join(written, 'report.json');
    const order: Intrusion = {
      report,
      tries: [
        { host: HOST, port: other },
        { host: '127.0.0.2', port },
        { path: join(closed, 'socket'), readableAll: true, writableAll: true },
        { path: join(written, 'socket') },
        { host: HOST, port },
      ],
    };
    refusals = 0;
    process.env.TOUCHSTONE_OPERATOR_KEY = 'secret of the supervisor';
    const processes = superviseProcesses({
      entry,
      count: 1,
      orderFor: async () => order,
      beforeListening: async () => ({ addresses: [HOST], port }),
      account: isRoot ? accountFor({ entry, enters: [folder], reads: [], writes: [written] }) : undefined,
      env: { TOUCHSTONE_GIVEN: 'given' },
      logger: pino({}, { write: (line) => (refusals += line.includes('foreign address') ? 1 : 0) }),
      shutdownDelay: 0,
      onEnd: () => {},
      ownMetrics: async () => [],
    });
    try {
      await processes.ready;
      found = JSON.parse(await readFile(report, 'utf8'));
    } finally {
      await processes.close();
      delete process.env.TOUCHSTONE_OPERATOR_KEY;
    }
  });

  test('has the supervisor open the port of the service, and no other port, address or socket', async () => {
    expect(found.answers).toEqual(['EACCES', 'EACCES', 'EACCES', 'EACCES', 'listens']);
    expect(refusals).toBe(4);
    expect(await readdir(closed)).toEqual([]);
  });

  test('finds no secrets of the supervisor in the environments that /proc shows', () => {
    expect(found.environment).toContain('TOUCHSTONE_GIVEN=given');
    expect(found.environment).not.toContain('secret of the supervisor');
  });

  test('opens no debugger in another process by a signal', () => {
    // Node catches SIGUSR1 (10) to open it
    expect(hexOf('SigCgt') & (1n << 9n)).toBe(0n);
  });

  test.runIf(isRoot)('has no capability of root, nor a way to get one again', () => {
    // a checkout that only root can read leaves the one to read
    const kept = accountFor({ entry, enters: [], reads: [], writes: [] }).readsAll ? 4n : 0n;
    for (const name of ['CapEff', 'CapPrm', 'CapInh', 'CapBnd', 'CapAmb'])
      expect([name, hexOf(name)]).toEqual([name, kept]);
    expect(hexOf('NoNewPrivs')).toBe(1n);
  });
});
