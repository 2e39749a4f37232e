import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryOf, resetPeak } from '../kit/processes.ts';
import { type Random, seeded } from '../kit/random.ts';
import { type ImportRig, openImportRig, watchHealth } from './support/catalogues/rig.ts';
import { type Format, HONEST, HOSTILE } from './support/catalogues/shapes.ts';

const SEED = Number(process.env.TOUCHSTONE_STRESS_SEED ?? 20_261_126);
/** Catalogues, and megabytes of each at most; the long form has 1,000, and 64 MB, which is what is fetched (CONTRIBUTING.md). */
const COUNT = Number(process.env.TOUCHSTONE_HOSTILE_CATALOGUES ?? 110);
const MEGABYTES = Number(process.env.TOUCHSTONE_HOSTILE_MB ?? 4);
/** Imports at a time; the service runs two of them. */
const AT_ONCE = 4;
/** Milliseconds below which a longer wait is noise of this machine. */
const NOISE = 100;

/** Milliseconds: an honest catalogue of 64 MB has most of a million products. */
const TIMEOUT = 1_800_000 * Math.max(1, MEGABYTES / 4);

let rig: ImportRig;
beforeAll(async () => {
  rig = await openImportRig();
});
afterAll(() => rig?.close());

interface Hostile {
  readonly name: string;
  readonly bytes: () => Uint8Array;
}

/** Every shape of every format, then shapes that are cut, spliced, altered or packed at random. */
function* catalogues(random: Random): Generator<Hostile> {
  const all = Object.entries(HOSTILE).flatMap(([format, shapes]) =>
    Object.entries(shapes).map(([name, build]) => ({ format: format as Format, name, build })),
  );
  const size = MEGABYTES * 1e6;
  for (const { format, name, build } of all)
    yield { name: `${format}: ${name}`, bytes: () => Buffer.from(build(size)) };
  for (;;) {
    const [one, other] = [random.of(all), random.of(all)];
    const [length, place, seed] = [size * random.number(), random.number(), random.integer(1e9)];
    const way = random.of(['cut', 'spliced', 'altered', 'packed', 'begun honestly'] as const);
    yield {
      name: `${way} ${one.format}: ${one.name}, ${other.name}, ${seed}`,
      bytes: () => {
        const bytes = Buffer.from(one.build(length));
        const at = Math.floor(place * bytes.length);
        switch (way) {
          case 'cut':
            return bytes.subarray(0, at);
          case 'spliced':
            return Buffer.concat([bytes.subarray(0, at), Buffer.from(other.build(length))]);
          case 'altered': {
            const { integer } = seeded(seed);
            for (let times = 0; times < 100; times += 1) bytes[integer(bytes.length)] = integer(256);
            return bytes;
          }
          case 'packed':
            return gzipSync(Buffer.from(one.build(length * 10)), { level: 1 });
          case 'begun honestly':
            return Buffer.concat([Buffer.from(HONEST[one.format](length / 10)), bytes]);
        }
      },
    };
  }
}

/** Runs work with several at a time. */
async function together<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const one = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

it(`${COUNT} hostile catalogues each end with what was met; the service answers as beside honest ones`, {
  timeout: TIMEOUT,
}, async () => {
  const { service } = rig;
  const honest = Object.values(HONEST).map((build) => build(MEGABYTES * 1e6));
  resetPeak(service.pid);
  const stopHonest = watchHealth(service.url);
  await together(honest, async (text) => {
    expect(await rig.importFrom(() => text)).toMatchObject({ state: 'done' });
  });
  const [waitBeside, memoryBeside] = [await stopHonest(), memoryOf(service.pid, 'peak') / 2 ** 20];

  const ends: Record<string, number> = {};
  const untold: string[] = [];
  resetPeak(service.pid);
  const stopHostile = watchHealth(service.url);
  const generated: Hostile[] = [];
  for (const catalogue of catalogues(seeded(SEED))) {
    if (generated.push(catalogue) >= COUNT) break;
  }
  await together(generated, async ({ name, bytes }) => {
    const content = bytes();
    const view = await rig.importFrom(() => content);
    const told = view.failure?.code ?? view.problems[0]?.kind ?? 'products only';
    ends[told] = (ends[told] ?? 0) + 1;
    if (view.failure?.code === 'internal' || !['done', 'failed'].includes(view.state))
      untold.push(`${name}: ${told}`);
  });
  const [wait, memory] = [await stopHostile(), memoryOf(service.pid, 'peak') / 2 ** 20];
  console.info(
    `seed ${SEED}, ${COUNT} catalogues of up to ${MEGABYTES} MB: longest /healthz ${wait.toFixed()} ms ` +
      `(beside honest ones ${waitBeside.toFixed()}), peak ${memory.toFixed()} MB (${memoryBeside.toFixed()}); ` +
      Object.entries(ends)
        .map(([end, count]) => `${end} ${count}`)
        .join(', '),
  );
  expect(untold).toEqual([]);
  expect(wait).toBeLessThan(3 * Math.max(waitBeside, NOISE));
  const after = await rig.importFrom(() => HONEST.json(10_000));
  expect(after).toMatchObject({ state: 'done', failed: 0 });
});
