import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { spawnServe, untilReady } from './kit/serve-process.ts';
import { freePort } from './kit/servers.ts';

it('a signal repeated within a second counts once; the next one ends the service at once, however long it would drain', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'touchstone-signals-'));
  const port = await freePort();
  const first = spawnServe({ port, dataDir });
  try {
    await untilReady(first);
    // a request that never ends keeps the drain waiting
    const hanging = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(hanging, 'connect');
    const path = '/api/v1/mc4p/page-checks';
    hanging.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    await fetch(`${first.url}/healthz`);
    first.kill('SIGTERM');
    // passed on by the parent process
    await delay(100);
    first.kill('SIGTERM');
    // long enough for the service to notice that a second has passed, too
    expect(await Promise.race([first.ended, delay(3_000, 'drains')])).toBe('drains');
    first.kill('SIGINT');
    // after draining it would have exited with 0
    expect(await first.ended).toBe('SIGINT');
  } finally {
    first.kill('SIGKILL');
    // it adopts the database that is still running, and stops it
    const second = spawnServe({ port, dataDir });
    await untilReady(second).finally(() => second.kill('SIGTERM'));
    expect(await second.ended).toBe(0);
    await rm(dataDir, { recursive: true, force: true });
  }
});
