import { IMAGE_FAILURES } from '@touchstone/contract/codes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { picture } from '../kit/pictures.ts';
import { type Canaries, openCanaries } from './support/answers/canaries.ts';
import { watchChildMemory } from './support/images/child-memory.ts';
import {
  CALLS,
  type HonestCallers,
  honestCallers,
  median,
  type Times,
} from './support/images/honest-callers.ts';
import { type ImageStore, openImageStore, type Row, SHOP } from './support/images/image-store.ts';
import { makeServedImages, type ServedImage } from './support/images/served-images.ts';

const PER_PRODUCT = 20;
/** Memory limit of an image process in bytes. */
const CAP = 1_024_000_000;
/** Milliseconds of calls before there are hostile images. */
const QUIET = 6_000;

let canaries: Canaries;
let served: readonly ServedImage[];
let store: ImageStore;
let callers: HonestCallers;

beforeAll(async () => {
  canaries = await openCanaries();
  const forbidden = [`http://127.0.0.1:${canaries.port}/`, `${SHOP}/forbidden/`, 'http://forbidden.example/'];
  served = await makeServedImages({ seed: 20_261_122, sound: 60, mutated: 400, forbidden });
  store = await openImageStore();
  callers = honestCallers(store.client);
});
afterAll(async () => {
  await store?.close();
  await canaries?.close();
});

it('continues to serve while it scans hostile images, and reports the result of each', async () => {
  const kettle = await honestProduct();
  const quietUntil = performance.now() + QUIET;
  const quiet = await callers.keepAsking(kettle, () => performance.now() > quietUntil);

  const watch = watchChildMemory(store.service.pid);
  const begun = performance.now();
  const rows = Array.from({ length: Math.ceil(served.length / PER_PRODUCT) }, (_, index) => ({
    name: `product-${index}`,
    images: served.slice(index * PER_PRODUCT, (index + 1) * PER_PRODUCT),
  }));
  const ids = await store.offer(rows);
  let isOver = false;
  const asking = callers.keepAsking(kettle, () => isOver);
  const checking = checkTheirPages(ids, rows, () => isOver);
  const end = await store.settled();
  isOver = true;
  const [barrage] = await Promise.all([asking, checking]);
  const [peak, seconds] = [watch.stop(), (performance.now() - begun) / 1_000];
  const failed = await store.givenUp();

  console.info(
    [
      `${end.total} images in ${seconds.toFixed(0)} s, by processes of ${(peak / 1e6).toFixed(0)} MB at the most`,
      `done ${end.done}, certified ${end.certified}, given up: ${counted([...failed.values()])}`,
      ...CALLS.map((call) => compared(call, quiet, barrage)),
      `findings about images of pages: ${counted(await checking)}`,
    ].join('\n'),
  );
  expect(end).toMatchObject({ total: served.length + 1, waiting: 0, failed: failed.size });
  expect(Number(end.done) + Number(end.failed)).toBe(end.total);
  expect(await wrongOutcomes(ids, rows, failed)).toEqual([]);
  expect(peak).toBeLessThan(CAP);
  await expectNobodyCalled();
  expect(store.service.crash()).toBeNull();
});

async function honestProduct() {
  const images: ServedImage[] = [{ name: 'kettle', bytes: await picture('kettle'), expected: 'certified' }];
  const [id = ''] = await store.offer([{ name: 'kettle', images }]);
  await store.settled();
  const document = await callers.certificate(id);
  return { id, document, url: store.publish('kettle', document, images) };
}

/** Requests the products of the hostile images, and checks their pages together with those images. */
async function checkTheirPages(
  ids: readonly string[],
  rows: readonly Row[],
  until: () => boolean,
): Promise<string[]> {
  const codes: string[] = [];
  for (let turn = 0; !until(); turn += 1) {
    const { name = '', images = [] } = rows[turn % rows.length] ?? {};
    const certificate = await callers.certificate(ids[turn % ids.length] ?? '');
    codes.push(...(await callers.checkImages(store.publish(name, certificate, images))));
  }
  return codes;
}

async function wrongOutcomes(
  ids: readonly string[],
  rows: readonly Row[],
  failed: ReadonlyMap<string, string>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [index, { images }] of rows.entries()) {
    const outcomes = await store.outcomes(ids[index] ?? '', failed);
    for (const { name, expected } of images) {
      const came = outcomes.get(name) ?? 'nothing';
      const isReported = ['certified', 'uncertified'].includes(came) || Object.hasOwn(IMAGE_FAILURES, came);
      if (expected === null ? !isReported : came !== expected)
        wrong.push(`${name}: ${came}, not ${expected}`);
    }
  }
  return wrong;
}

/**
 * No forbidden connection, by the logs of the dialer, the shop, and the server that manifests refer to; and no bug in the service's log.
 */
async function expectNobodyCalled(): Promise<void> {
  const { dials, lookups, faults } = await store.service.told();
  expect(new Set(dials)).toEqual(new Set([`shop.example 127.0.0.1 ${store.shop.port}`]));
  expect(lookups).toEqual([]);
  expect(store.shop.asked.filter((asked) => asked.includes('/forbidden/'))).toEqual([]);
  expect(canaries.seen()).toBe(0);
  expect(await canaries.control()).toBeGreaterThan(0);
  expect(faults).toEqual([]);
}

function compared(call: keyof Times, quiet: Times, barrage: Times): string {
  const [before, during] = [median(quiet[call]), median(barrage[call])];
  return `${call}: median ${before.toFixed(1)} → ${during.toFixed(1)} ms (× ${(during / before).toFixed(1)}), n ${barrage[call].length}`;
}

function counted(codes: readonly string[]): string {
  const groups = Map.groupBy(codes, (code) => code);
  return [...groups].map(([code, { length }]) => `${code} ${length}`).join(', ');
}
