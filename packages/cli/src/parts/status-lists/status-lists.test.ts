import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type LoopbackServer, loopbackServer, runCli } from '../../testing.ts';

const LIST = {
  list: 7,
  openedAt: '2026-11-27T00:00:00.000Z',
  issuedAt: '2026-11-27T01:00:00.000Z',
  taken: 512,
  withdrawn: 3,
  suspended: 1,
};

let server: LoopbackServer;
afterEach(() => server.close());

async function run(words: readonly string[], state: object) {
  server = await loopbackServer(() => ({ status: 200, body: state }));
  return runCli(['status-lists', ...words, '--service', server.url], { env: { TOUCHSTONE_KEY: 'tsk_0' } });
}

it('shows each list, and whether changes wait', async () => {
  const { code, out } = await run([], { lists: [LIST], waiting: 2 });
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /^ *7 +open +signed 2026.* 3 withdrawn +1 suspended\nChanges that wait to be published: 2/,
    ),
  ]);
});

it('merges the lists of a folder of static copies, and says that the database was older', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-status-lists-'));
  try {
    for (const name of ['7', 'status-list-8.jwt', 'other.txt'])
      await writeFile(join(folder, name), `token ${name}`);
    const restoredAt = '2026-11-27T01:00:00.000Z';
    const { code, out } = await run(['merge', folder], { lists: [LIST], waiting: 0, restoredAt });
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`At ${restoredAt}, the database was found to be older`),
    ]);
    const sent = server.asked.map(({ body }) => (typeof body === 'string' ? JSON.parse(body) : body));
    expect(sent.map(({ token }) => token).toSorted()).toEqual(['token 7', 'token status-list-8.jwt']);
    await server.close();
    expect((await run(['merge', join(folder, 'none')], { lists: [], waiting: 0 })).code).toBe(64);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
