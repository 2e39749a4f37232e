import { randomBytes } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../packages/server/src/platform/database/testing.ts';
import { databaseUrl } from '../../packages/server/src/testing.ts';
import { useFolder } from '../kit/folder.ts';
import { type ServeProcess, spawnServe, untilReady } from '../kit/serve-process.ts';
import { freePort } from '../kit/servers.ts';
import { type Balancer, CHECK_EVERY, openBalancer } from './support/upgrade/balancer.ts';
import {
  addFixture,
  build,
  checkOut,
  copySources,
  givesNotice,
  hasCommit,
  LAST_RELEASE,
} from './support/upgrade/checkout.ts';
import { type Load, startLoad } from './support/upgrade/load.ts';

/** Long form: 20 (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.TOUCHSTONE_UPGRADE_ROUNDS ?? 1);
const PER_SECOND = Number(process.env.TOUCHSTONE_UPGRADE_RATE ?? 500);
/** Milliseconds for starting and stopping nodes, on a machine that is busy with something else. */
const PATIENCE = 600_000;
/** As in the operator guide: longer than two checks of the balancer. */
const SHUTDOWN_DELAY = 3;

const NAME = `the last release, ${LAST_RELEASE.slice(0, 8)}, and this one with a change of the schema`;

describe.skipIf(!hasCommit(LAST_RELEASE))(NAME, () => {
  const folder = useFolder('upgrade');
  const releases = { old: join(folder, 'old'), new: join(folder, 'new') };
  const nodes: (ServeProcess & { port: number })[] = [];
  let database: TestDatabase;
  let balancer: Balancer;
  let load: Load;
  let begun = 0;

  const start = async (release: keyof typeof releases) => {
    const port = await freePort();
    const dataDir = join(folder, `data-${port}`);
    const node = spawnServe({
      port,
      dataDir,
      root: releases[release],
      env: {
        TOUCHSTONE_DATABASE_URL: databaseUrl(database),
        TOUCHSTONE_BASE_URL: balancer.url,
        TOUCHSTONE_MASTER_KEY_FILE: join(folder, 'master.key'),
        TOUCHSTONE_BLOBS: join(folder, 'blobs'),
        TOUCHSTONE_IMAGE_CONCURRENT: '0',
        TOUCHSTONE_SWEEPS: 'false',
        // they would have to be built
        TOUCHSTONE_WITHOUT: 'pages',
        TOUCHSTONE_SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY),
      },
    });
    await untilReady(node);
    balancer.add(port);
    await delay(2 * CHECK_EVERY);
    return { ...node, port };
  };
  /** One after another, as an operator does it. */
  const replace = async (former: keyof typeof releases, next: keyof typeof releases) => {
    for (const [place, node] of nodes.entries()) {
      nodes[place] = await start(next);
      // as the guide of such a release says
      if (!givesNotice(releases[former])) await balancer.remove(node.port);
      node.kill('SIGTERM');
      expect([await node.ended, node.output()]).toEqual([0, expect.anything()]);
      await balancer.remove(node.port);
      log(`node ${place + 1} is replaced by the ${next} release`);
    }
  };
  const log = (what: string) => {
    const { sent, failures, slowest } = load;
    const total = sent.get + sent.verify + sent.put;
    console.log(
      `${what} after ${Math.round((performance.now() - begun) / 1000)} s: ${total} requests (${sent.get} GET, ${sent.verify} verify, ${sent.put} PUT), ${[...failures.values()].reduce((a, b) => a + b, 0)} failed, ` +
        `slowest ${Math.round(slowest)} ms`,
    );
  };

  beforeAll(async () => {
    await chmod(folder, 0o755);
    checkOut(LAST_RELEASE, releases.old);
    copySources(releases.new);
    addFixture(releases.new, releases.old);
    for (const release of Object.values(releases)) build(release);
    await writeFile(join(folder, 'master.key'), randomBytes(32).toString('hex'), { mode: 0o600 });
    await mkdir(join(folder, 'blobs'));
    database = await testDatabase();
    await database.query('drop schema public cascade; create schema public');
    balancer = await openBalancer();
    nodes.push(...(await Promise.all([start('old'), start('old')])));
    begun = performance.now();
    load = await startLoad({ url: balancer.url, operatorKey: nodes[0]?.operatorKey }, PER_SECOND);
  }, PATIENCE);
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await balancer?.close();
    await database?.close();
  }, PATIENCE);

  it(
    `nodes are replaced by the next release and back, ${ROUNDS} times, at ${PER_SECOND} requests a second, and none fails`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await replace('old', 'new');
        const indexes = await database.query("select from pg_class where relname = 'products_by_fixture'");
        expect(indexes).toHaveLength(1);
        await replace('new', 'old');
      }
      await load.stop();
      log('all');
      const { sent, failures } = load;
      expect([...failures].slice(0, 10)).toEqual([]);
      expect(balancer.refused()).toBe(0);
      expect(Math.min(sent.get, sent.verify, sent.put)).toBeGreaterThan(100);
    },
    ROUNDS * PATIENCE,
  );
});
