import type { CopyList } from '@touchstone/contract';
import { afterAll, expect, it, vi } from 'vitest';
import type { ScheduledTask } from '../../../packages/server/src/platform/jobs/scheduled-tasks.ts';
import { copyOf } from '../../kit/copied-pictures.ts';
import { PATIENT } from '../../kit/patience.ts';
import { servePicture } from '../../kit/pictures.ts';
import { UNLIMITED_FETCHES } from '../../kit/registry.ts';
import { openScene } from '../../kit/service.ts';
import { changedCertificate, clonePage } from './make-clones.ts';
import { photograph } from './photographs.ts';

const DAYS = 30;
const HOURS = 6;
const STEPS_A_DAY = 24 / HOURS;
const SHOP = 'lanternhill.example';
/** Has the name, and first the certificate, too. */
const OUTLET = 'lanternhill-outlet.example';
/** Has the pictures alone. */
const COPY = 'copy.example';
/** Has the name alone. */
const SWAPPED = 'lanternhlil.example';

/** The task of the service that looks again, which runs when the test says so. */
let task: ScheduledTask | undefined;
const { setInterval: begin } = globalThis;
vi.stubGlobal('setInterval', (run: () => void, every: number, ...given: unknown[]) => {
  const [of] = given as (Partial<ScheduledTask> | undefined)[];
  if (of?.name !== 'look for copies again') return begin(run, every, ...(given as []));
  task = of as ScheduledTask;
  return begin(() => {}, 2 ** 31 - 1);
});
const scene = await openScene(
  { ...UNLIMITED_FETCHES, TOUCHSTONE_IMAGE_CONCURRENT: '4', TOUCHSTONE_IMAGE_SPACING_MS: '0' },
  { readersStartAfter: 0 },
);
afterAll(async () => {
  vi.unstubAllGlobals();
  await scene.close();
});

const store = await scene.store(SHOP);
await scene.operate('PATCH', `/stores/${store.id}`, { signImages: true });
const events = ['copy.host_found', 'copy.host_gone'];
await scene.operate('POST', '/webhooks', {
  merchantId: store.merchantId,
  url: 'https://hooks.example/told',
  events,
});
const originals = await Promise.all([1, 2, 3].map((seed) => photograph('lamp-1', seed)));
const text = { name: 'Table lamp', text: 'A stoneware foot under a paper shade.' };
const images = originals.map(({ file }, at) => {
  const url = `http://${SHOP}/lamp-${at}.jpg`;
  servePicture(scene.shop, url, file);
  return { url };
});
const lamp = await store.product('lamp', { name: text.name, images });
await vi.waitFor(
  async () => {
    const signed = await scene.operate('GET', `/stores/${store.id}/images?state=signed`);
    expect(signed.images).toHaveLength(3);
  },
  { interval: 200, ...PATIENT },
);

const pageOf = (host: string) => `http://${host}/lamp`;

/** A clone as it is from now on; `null`: its page is gone. */
async function show(
  host: string,
  page: { readonly pictures?: string; readonly certificate?: true } | null,
): Promise<void> {
  const url = pageOf(host);
  if (page === null) {
    scene.shop.put(url, (_, response) => void response.writeHead(404).end());
    return;
  }
  const { pictures } = page;
  const shown =
    pictures === undefined
      ? [(await photograph('clock-1', 77)).file]
      : await Promise.all(originals.map((original) => copyOf(original, pictures)));
  const addresses = shown.map((bytes, at) => {
    const address = `http://${host}/${pictures ?? 'own'}-${at}.jpg`.replaceAll(' ', '-');
    servePicture(scene.shop, address, bytes);
    return address;
  });
  const certificate =
    page.certificate === true ? changedCertificate('kept', await scene.certificate(lamp.id), url) : undefined;
  scene.shop.put(url, clonePage(text, addresses, certificate));
}

/** A shopper checks the page, and asks for its pictures; again while the check says nothing of the name, as on a busy machine it may. */
async function visit(host: string): Promise<void> {
  for (let times = 0; times < 20; times += 1) {
    const { id, related } = await scene.checkPage(pageOf(host));
    await scene.call('GET', `/api/v1/mc4p/page-checks/${String(id)}/pictures?wait=20`);
    if (host === COPY || related !== undefined) return;
  }
}

async function listed(): Promise<Record<string, string>> {
  const { domains } = (await scene.operate('GET', `/stores/${store.id}/copies`)) as unknown as CopyList;
  const hosts = domains.flatMap((domain) => domain.hosts);
  return Object.fromEntries(
    hosts.map(({ host, state, found }) => [host, `${state}: ${Object.keys(found).toSorted().join()}`]),
  );
}

/** What the merchant has been told so far, in the order of the kinds of events. */
async function told(): Promise<string[]> {
  const { query } = scene.service.database;
  const rows = await query<{ type: string; items: { host: string; kinds: string[] }[] }>(
    'select type, items from events where type = any($1) order by type, opened_at',
    [events],
  );
  return rows.flatMap(({ type, items }) =>
    items.map(({ host, kinds }) => `${type} ${host} ${kinds.toSorted().join()}`),
  );
}

/** Looks until no host is due. */
async function look(): Promise<void> {
  while (Number(await task?.run(new AbortController().signal)) > 0);
}

/** What happens at noon of a day. */
const PLAN: Readonly<Record<number, () => Promise<unknown>>> = {
  2: () => show(OUTLET, { pictures: 'the same bytes', certificate: true }).then(() => visit(OUTLET)),
  5: () => show(COPY, { pictures: 'half the size' }).then(() => visit(COPY)),
  8: () => scene.operate('PUT', `/stores/${store.id}/copies/${OUTLET}`, { state: 'reported' }),
  9: () => show(SWAPPED, {}).then(() => visit(SWAPPED)),
  // it changes, but is a clone as before
  12: () => show(OUTLET, { pictures: 'JPEG of quality 60' }),
  15: () => show(COPY, {}),
  20: () => show(OUTLET, null),
  22: () => show(SWAPPED, null),
  25: () => show(COPY, { pictures: 'padded to a square, white' }).then(() => visit(COPY)),
};

it(`${DAYS} days of a merchant with three clones: it is told of each kind on the day on which one is met, and within three days that it is gone`, async () => {
  await expect.poll(() => task).toBeDefined();
  const days = new Map<string, number[]>();
  const lists = new Map<number, Record<string, string>>();
  let before: string[] = [];
  for (let step = 0; step < DAYS * STEPS_A_DAY; step += 1) {
    const day = Math.floor(step / STEPS_A_DAY);
    // nobody answers at the webhook, which would be paused for it after days
    await scene.service.database.query(
      'update webhooks set paused = null, paused_at = null, failing_since = null',
    );
    if (step % STEPS_A_DAY === 2) await PLAN[day]?.();
    await look();
    const since = await told();
    for (const line of since) {
      const at = before.indexOf(line);
      if (at === -1) days.set(line, [...(days.get(line) ?? []), day]);
      else before.splice(at, 1);
    }
    before = since;
    lists.set(day, await listed());
    scene.travel(HOURS * 3_600);
  }

  process.stdout.write(`${JSON.stringify({ told: Object.fromEntries(days) })}\n`);
  const gone = (host: string, kinds: string) => days.get(`copy.host_gone ${host} ${kinds}`) ?? [];
  expect(Object.fromEntries([...days].filter(([line]) => line.startsWith('copy.host_found')))).toEqual({
    [`copy.host_found ${OUTLET} name`]: [2],
    [`copy.host_found ${OUTLET} pictures`]: [2],
    [`copy.host_found ${COPY} pictures`]: [5, 25],
    [`copy.host_found ${SWAPPED} name`]: [9],
  });
  for (const [seen, since] of [
    [gone(COPY, 'pictures'), 15],
    [gone(OUTLET, 'certificate,name,pictures'), 20],
    [gone(SWAPPED, 'name'), 22],
  ] as const) {
    expect(seen).toHaveLength(1);
    expect(seen[0]).toBeGreaterThan(since);
    expect(seen[0]).toBeLessThanOrEqual(since + 3);
  }
  expect(days.size).toBe(7);
  expect([1, 4, 7, 11, 14, 19, 29].map((day) => lists.get(day))).toEqual([
    {},
    { [OUTLET]: 'new: certificate,name,pictures' },
    { [OUTLET]: 'new: certificate,name,pictures', [COPY]: 'new: pictures' },
    {
      [OUTLET]: 'reported: certificate,name,pictures',
      [COPY]: 'new: pictures',
      [SWAPPED]: 'new: name',
    },
    {
      [OUTLET]: 'reported: certificate,name,pictures',
      [COPY]: 'new: pictures',
      [SWAPPED]: 'new: name',
    },
    {
      [OUTLET]: 'reported: certificate,name,pictures',
      [COPY]: 'gone: pictures',
      [SWAPPED]: 'new: name',
    },
    {
      [OUTLET]: 'gone: certificate,name,pictures',
      [COPY]: 'new: pictures',
      [SWAPPED]: 'gone: name',
    },
  ]);
});
