import { afterEach, expect, it } from 'vitest';
import { type LoopbackServer, loopbackServer, runCli } from '../../testing.ts';

const ID = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
const AT = '2026-03-01T12:00:00.000Z';
const WEBHOOK = {
  id: ID,
  merchantId: ID,
  url: 'https://hooks.example/events',
  events: ['domain.lost', 'copy.found'],
  state: 'active',
  pending: 0,
  createdAt: AT,
};
const DELIVERY = {
  id: ID,
  webhookId: ID,
  eventId: ID,
  type: 'webhook.test',
  occurredAt: AT,
  state: 'pending',
  attempts: 0,
  createdAt: AT,
};

let server: LoopbackServer;
afterEach(() => server.close());

/** Runs `webhooks` against a service that sends these responses in order and repeats the last one. */
async function webhooks(words: readonly string[], ...answers: object[]) {
  const asked: string[] = [];
  server = await loopbackServer((request) => {
    asked.push(`${request.method} ${request.path}`);
    const { status = 200, ...body } = (answers.length > 1 ? answers.shift() : answers[0]) as {
      status?: number;
    };
    return { status, body };
  });
  const ran = await runCli(['webhooks', ...words, '--service', server.url], {
    env: { TOUCHSTONE_KEY: 'tsk_0' },
  });
  return { ...ran, asked };
}

it('lists webhooks, and what to do about a failing one', async () => {
  const failing = { ...WEBHOOK, failingSince: AT, pending: 3 };
  const paused = { ...WEBHOOK, state: 'paused', pausedBecause: 'gone', pausedAt: AT };
  const { code, out } = await webhooks(['list'], { webhooks: [WEBHOOK, failing, paused] });
  expect(code).toBe(2);
  expect(out).toContain(
    `https://hooks.example/events  ${ID}\n  active; 0 pending\n  domain.lost, copy.found\n`,
  );
  expect(out).toContain(`active, failing since ${AT}; touchstone webhooks deliveries ${ID}; 3 pending`);
  expect(out).toContain(`answered 410; touchstone webhooks change ${ID} --resume`);
});

it('creates one, with only the secret on standard output', async () => {
  const words = ['create', '--merchant-id', ID, '--url', WEBHOOK.url, '--event', 'domain.lost', 'copy.found'];
  const { code, out, err, asked } = await webhooks(words, {
    status: 201,
    ...WEBHOOK,
    secret: 'whsec_c2VjcmV0',
  });
  expect([code, out]).toEqual([0, 'whsec_c2VjcmV0\n']);
  expect(err).toContain(ID);
  expect(asked).toEqual(['POST /api/v1/registry/webhooks']);
});

it('changes nothing if no change is given', async () => {
  const { code, err, asked } = await webhooks(['change', ID], WEBHOOK);
  expect([code, asked]).toEqual([64, []]);
  expect(err).toContain('No change was given.\nGive --url,');
});

it('is created for the only merchant that the key may access, if none is named', async () => {
  const { code, asked } = await webhooks(
    ['create', '--url', WEBHOOK.url],
    {
      merchants: [
        {
          id: ID,
          name: 'M',
          planCapacity: 1,
          paused: false,
          slotsHeld: 0,
          productLimit: 9,
          products: 0,
          createdAt: AT,
        },
      ],
    },
    { status: 201, ...WEBHOOK, secret: 'whsec_c2VjcmV0' },
  );
  expect([code, asked]).toEqual([
    0,
    ['GET /api/v1/registry/merchants?limit=2', 'POST /api/v1/registry/webhooks'],
  ]);
});

it('waits for the result of a test', async () => {
  const payload = { payload: {} };
  const refused = {
    ...DELIVERY,
    attempts: 1,
    nextAttemptAt: AT,
    lastAttempt: { at: AT, milliseconds: 5, status: 500, code: 'delivery_refused', nextStep: 'See its log.' },
  };
  const failed = await webhooks(
    ['test', ID],
    { status: 202, ...DELIVERY },
    { ...DELIVERY, ...payload },
    {
      ...refused,
      ...payload,
    },
  );
  expect([failed.code, failed.asked.length]).toEqual([1, 3]);
  expect(failed.out).toContain(`pending (1)  delivery_refused 500: See its log. Next at ${AT}`);
  await server.close();
  const taken = {
    ...DELIVERY,
    state: 'delivered',
    attempts: 1,
    lastAttempt: { at: AT, milliseconds: 5, status: 204 },
  };
  const { code, out } = await webhooks(
    ['test', ID, '--json'],
    { status: 202, ...DELIVERY },
    { ...taken, ...payload },
  );
  expect([code, JSON.parse(out).state]).toEqual([0, 'delivered']);
});

it('lists deliveries, and the exit code reports those that were given up', async () => {
  const failed = { ...DELIVERY, state: 'failed', attempts: 11, type: 'domain.lost' };
  const { code, out, asked } = await webhooks(['deliveries', ID, '--state', 'failed'], {
    deliveries: [failed],
  });
  expect([code, asked]).toEqual([1, [`GET /api/v1/registry/webhooks/${ID}/deliveries?state=failed`]]);
  expect(out).toContain('domain.lost  failed (11)');
});

it('rotates, pauses, replays and deletes', async () => {
  const rotated = await webhooks(['rotate', ID], { id: ID, secret: 'whsec_bmV3', formerSecretUntil: AT });
  expect([rotated.out, rotated.err]).toEqual(['whsec_bmV3\n', expect.stringContaining(`until ${AT}`)]);
  await server.close();
  const paused = await webhooks(['change', ID, '--pause'], {
    ...WEBHOOK,
    state: 'paused',
    pausedBecause: 'asked',
    pausedAt: AT,
  });
  expect([paused.code, paused.out]).toEqual([0, expect.stringContaining('paused at')]);
  await server.close();
  expect((await webhooks(['replay', ID, ID], { status: 202, ...DELIVERY })).out).toContain('pending (0)');
  await server.close();
  server = await loopbackServer(() => ({ status: 204 }));
  const words = ['webhooks', 'delete', ID, '--service', server.url, '--json'];
  const { code, out } = await runCli(words, { env: { TOUCHSTONE_KEY: 'tsk_0' } });
  expect([code, JSON.parse(out)]).toEqual([0, { id: ID, deleted: true }]);
});
