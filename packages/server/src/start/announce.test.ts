import { expect, test } from 'vitest';
import { httpServer } from '../../../../test/kit/servers.ts';
import { announceService } from './announce.ts';

test('the operator key is printed at a terminal, and never into a journal', async () => {
  const service = await httpServer((_, response) => response.end('{}'));
  const madeOperatorKey = { key: 'a-key-that-opens-everything', path: '/data/operator.key' };
  const printed = async (isKept: boolean) => {
    const lines: string[] = [];
    const told = { url: service.url, operatorKey: madeOperatorKey.key, madeOperatorKey };
    await announceService(told, (line) => lines.push(line), new AbortController().signal, isKept);
    return lines.join('\n');
  };
  expect(await printed(false)).toContain(`once: ${madeOperatorKey.key}\n`);
  const kept = await printed(true);
  expect(kept).not.toContain(madeOperatorKey.key);
  expect(kept).toContain('The operator key is in /data/operator.key');
  await service.close();
});
