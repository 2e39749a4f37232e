import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, spawnServe } from '../support/serve-process.ts';
import { seeded } from './support/images/mutate.ts';
import { type KillRig, openKillRig, TARGETS } from './support/kills/rig.ts';
import {
  capacities,
  certificates,
  deletions,
  imports,
  seatFaults,
  singleWrites,
  type Work,
} from './support/kills/works.ts';

/** Long form: 1,000 (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.TOUCHSTONE_KILL_ROUNDS ?? 16);
const SEED = Number(process.env.TOUCHSTONE_STRESS_SEED ?? Math.floor(Math.random() * 1e9));
/** Milliseconds from one readiness to the next kill, at most. */
const CALM = 1_500;

const random = seeded(SEED);
let rig: KillRig;
let works: Work[];

beforeAll(async () => {
  // two, so that one goes on answering when the other is killed
  rig = await openKillRig({ TOUCHSTONE_PROCESSES: '2' });
  works = [
    await singleWrites(rig),
    await imports(rig),
    await certificates(rig, seeded(SEED + 1)),
    await capacities(rig, seeded(SEED + 2)),
    await deletions(rig),
  ];
});
afterAll(() => rig?.close());

/** Does a work over and over; the promise that it gives back ends it, and tells how often it was acknowledged. */
function keepDoing(work: Work): () => Promise<number> {
  let isOver = false;
  const running = (async () => {
    let acknowledged = 0;
    while (!isOver) {
      if (await work.turn()) acknowledged += 1;
      else await delay(20);
    }
    return acknowledged;
  })();
  return () => {
    isOver = true;
    return running;
  };
}

it(
  `loses nothing acknowledged and leaves nothing undone over ${ROUNDS} kills (TOUCHSTONE_STRESS_SEED=${SEED})`,
  async () => {
    const stops = works.map(keepDoing);
    for (let round = 0; round < ROUNDS; round += 1) {
      await delay(50 + random(CALM));
      const target = TARGETS[random(TARGETS.length)] ?? 'service';
      await rig.strike(target);
      expect(await seatFaults(rig), `after kill ${round} (${target})`).toEqual([]);
    }
    const counts = await Promise.all(stops.map((stop) => stop()));
    const done = works.map(({ name }, index) => `${name} ${counts[index]}`).join(', ');
    console.info(`${ROUNDS} kills, seed ${SEED}; acknowledged: ${done}`);
    for (const work of works) {
      expect(await work.turn(), `${work.name} without a kill`).toBe(true);
      expect(await work.faults(), `${work.name}, seed ${SEED}`).toEqual([]);
    }
    expect(await seatFaults(rig)).toEqual([]);
  },
  300_000 + ROUNDS * 60_000,
);

it('refuses a second service on the same data folder, naming the first', async () => {
  const second = spawnServe({ port: await freePort(), dataDir: rig.dataDir });
  expect(await second.ended).not.toBe(0);
  expect(second.output()).toContain(String(rig.service().pid));
  expect(second.output()).toContain(rig.service().url);
});

it('drains and exits 0 on SIGTERM, leaving no database behind', async () => {
  const database = await rig.databasePid();
  rig.service().kill('SIGTERM');
  expect(await rig.service().ended).toBe(0);
  expect(() => process.kill(database, 0)).toThrow();
});
