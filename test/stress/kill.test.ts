import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isAlive } from '../../packages/embedded-postgres/src/postmaster.ts';
import { seeded } from '../kit/random.ts';
import { spawnServe } from '../kit/serve-process.ts';
import { freePort } from '../kit/servers.ts';
import { type KillRig, openKillRig, TARGETS } from './support/kills/rig.ts';
import {
  capacities,
  certificates,
  deletions,
  imports,
  seatFaults,
  singleWrites,
  underWay,
  type Work,
} from './support/kills/works.ts';

/** Long form: 1,000 (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.TOUCHSTONE_KILL_ROUNDS ?? 16);
const SEED = Number(process.env.TOUCHSTONE_STRESS_SEED ?? Math.floor(Math.random() * 1e9));
/** The long form ends after this time with the kills until then, and prints their number. */
const SECONDS = Number(process.env.TOUCHSTONE_KILL_SECONDS ?? Number.POSITIVE_INFINITY);
/** Number of kills after which every kind of work must have been interrupted, whatever the seed. */
const ENOUGH = 100;
/** Maximum milliseconds from readiness to the next kill. */
const CALM = 1_500;

const random = seeded(SEED);
let rig: KillRig;
let works: Work[];

beforeAll(async () => {
  // two, so that one continues to respond when the other is killed
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

interface Running {
  isCalling(): boolean;
  /** Returns the number of acknowledgements. */
  stop(): Promise<number>;
}

/** Repeats a piece of work. */
function keepDoing(work: Work): Running {
  let isOver = false;
  let isCalling = false;
  const running = (async () => {
    let acknowledged = 0;
    while (!isOver) {
      isCalling = true;
      const isDone = await work.turn();
      isCalling = false;
      if (isDone) acknowledged += 1;
      else await delay(20);
    }
    return acknowledged;
  })();
  return {
    isCalling: () => isCalling,
    stop() {
      isOver = true;
      return running;
    },
  };
}

/** How often each kind of work was interrupted by a kill. */
class Hits {
  readonly counts = new Map<string, number>();
  note(names: readonly string[]): void {
    for (const name of names) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
  text(): string {
    return [...this.counts].map(([name, count]) => `${name} ${count}`).join(', ');
  }
}
const HIT = ['imports', 'certificates', 'certificates ahead', 'capacity job', 'store deletion job'];

it(
  `loses nothing acknowledged and leaves nothing unfinished over ${ROUNDS} kills (TOUCHSTONE_STRESS_SEED=${SEED})`,
  async () => {
    const running = works.map(keepDoing);
    const hits = new Hits();
    const end = performance.now() + SECONDS * 1_000;
    let kills = 0;
    for (; kills < ROUNDS && performance.now() < end; kills += 1) {
      await delay(50 + random.integer(CALM));
      const target = random.of(TARGETS);
      const calls = works.filter((_, nth) => running[nth]?.isCalling()).map(({ name }) => name);
      hits.note([target, ...calls, ...(await underWay(rig))]);
      await rig.strike(target);
      expect(await seatFaults(rig), `after kill ${kills} (${target})`).toEqual([]);
      if (kills % 50 === 49) console.info(`${kills + 1} kills so far; hit: ${hits.text()}`);
    }
    const counts = await Promise.all(running.map(({ stop }) => stop()));
    const done = works.map(({ name }, index) => `${name} ${counts[index]}`).join(', ');
    console.info(`${kills} kills, seed ${SEED}; acknowledged: ${done}; hit: ${hits.text()}`);
    if (kills >= ENOUGH) expect(HIT.filter((name) => !hits.counts.has(name))).toEqual([]);
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
  // a database that outlived the service belongs to the first process, which may not have stopped it yet
  expect(await isAlive(database)).toBe(false);
});
