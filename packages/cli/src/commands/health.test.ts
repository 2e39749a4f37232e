import { expect, test } from 'vitest';
import { httpServer } from '../../../../test/kit/servers.ts';
import { runCli } from '../testing.ts';

test('health exits with 0 for an alive service, 1 for one that is not ready, 3 for none', async () => {
  const service = await httpServer(({ url }, response) => {
    response.writeHead(url === '/healthz' ? 200 : 503).end();
  });
  const health = async (...args: string[]) =>
    (await runCli(['health', ...args, '--service', service.url])).code;
  expect([await health(), await health('--ready')]).toEqual([0, 1]);
  await service.close();
  expect(await health()).toBe(3);
});
