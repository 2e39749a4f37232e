import { afterEach, expect, it } from 'vitest';
import { type LoopbackServer, loopbackServer, runCli } from '../../testing.ts';

const STATE = { place: 's3://copies/of/service/', certificates: 5, waiting: 0, unread: 0 };

let server: LoopbackServer;
afterEach(() => server.close());

async function publish(words: readonly string[], ...answers: object[]) {
  server = await loopbackServer(({ method }) => ({
    status: method === 'POST' ? 202 : 200,
    body: answers.length > 1 ? answers.shift() : answers[0],
  }));
  return runCli(['publish', ...words, '--service', server.url], { env: { TOUCHSTONE_KEY: 'tsk_0' } });
}

it('waits until the copies are current, and ends with success', async () => {
  const { code, out } = await publish(
    ['--to', 's3://copies/of/service'],
    { ...STATE, state: 'working' },
    { ...STATE, state: 'working', waiting: 2 },
    { ...STATE, state: 'current' },
  );
  expect([code, out]).toEqual([0, '5 certificates at s3://copies/of/service/; the copies are current.\n']);
  expect(server.asked).toHaveLength(3);
});

it('fails, with the reason, when the place cannot be written', async () => {
  const failure = { code: 'publish_failed', detail: 'no such bucket', at: '2026-03-01T12:00:00.000Z' };
  const { code, out } = await publish([], { ...STATE, state: 'failing', waiting: 3, failure });
  expect(code).toBe(1);
  expect(out).toContain(
    '3 products are waiting.\nThe last attempt to write failed at 2026-03-01T12:00:00.000Z: no such bucket\n',
  );
});

it('is refused where the service publishes elsewhere, or nothing', async () => {
  expect((await publish(['--to', './static'], { ...STATE, state: 'current' })).code).toBe(64);
  await server.close();
  const off = { state: 'off', certificates: 0, waiting: 0, unread: 0 };
  expect(await publish([], off)).toMatchObject({
    code: 64,
    err: expect.stringContaining('TOUCHSTONE_PUBLISH_TO'),
  });
});
