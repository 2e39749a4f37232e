import { join } from 'node:path';
import type { PictureMatches } from '@touchstone/contract';
import { readConfig, startService } from '@touchstone/server';
import sharp from 'sharp';
import { describe, expect, vi } from 'vitest';
import { databaseUrl } from '../../../packages/server/src/testing.ts';
import { useFolder } from '../../kit/folder.ts';
import { SHOP, useImageScene } from '../../kit/image-scene.ts';
import { PATIENT } from '../../kit/patience.ts';
import { picture, servePicture } from '../../kit/pictures.ts';
import { covers, scenario } from '../../kit/scenario.ts';
import type { Json, SceneStore } from '../../kit/service.ts';
import { productPage } from '../../kit/shop.ts';

const world = await useImageScene({ TOUCHSTONE_FETCH_PER_CALLER: '10000' });
const { scene } = world;
const folder = useFolder('pictures');

/** Serves a page with these pictures and no certificate, checks it, and finds where its pictures are certified. */
async function picturesOn(
  url: string,
  pictures: readonly Uint8Array[],
  stated: Json = { name: 'Something else' },
): Promise<PictureMatches> {
  const image = pictures.map((bytes, at) => {
    servePicture(scene.shop, `${url}-${at}.jpg`, bytes);
    return `${url}-${at}.jpg`;
  });
  scene.shop.put(
    url,
    productPage({ '@context': 'https://schema.org', '@type': 'Product', ...stated, image }),
  );
  const { id } = await scene.checkPage(url);
  return await ask(String(id));
}

async function ask(id: string, wait = 20): Promise<PictureMatches> {
  const answer = await scene.call('GET', `/api/v1/mc4p/page-checks/${id}/pictures?wait=${wait}`);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(answer.text).not.toMatch(/fraud|fake|stolen/i);
  return answer.json as unknown as PictureMatches;
}

const codesOf = ({ findings }: PictureMatches) => findings.map(({ code }) => code);

/** Adds a product with these pictures, certified. */
async function certified(
  store: SceneStore,
  host: string,
  name: string,
  pictures: readonly Uint8Array[],
  changes: Json = {},
): Promise<string> {
  const images = pictures.map((bytes, at) => {
    const url = `http://${host}/${name}-${at}.img`;
    servePicture(scene.shop, url, bytes);
    return { url };
  });
  const { id } = await store.product(name, { images, ...changes });
  const listed = async () => {
    const { images: found } = await scene.operate(
      'GET',
      `/stores/${store.id}/images?state=certified&productId=${id}`,
    );
    return found as unknown[];
  };
  await vi.waitFor(async () => expect(await listed()).toHaveLength(images.length), {
    interval: 100,
    ...PATIENT,
  });
  return id;
}

/** Pictures of one product, signed by the merchant beforehand. */
const signed = (...names: readonly string[]) =>
  Promise.all(names.map(async (name) => world.signedByMerchant(await picture(name, 'jpeg', 320))));

const smaller = (bytes: Uint8Array) => sharp(bytes).resize({ width: 200 }).jpeg({ quality: 50 }).toBuffer();

/** The shop whose name pages resemble. */
let lantern: Promise<SceneStore> | undefined;
const lanternhill = () => {
  lantern ??= scene.store('lanternhill.example');
  return lantern;
};

const settingsOf = (store: SceneStore) => `/stores/${store.id}/picture-settings`;
const DEFAULTS = { told: true, makersPictures: false, makersImages: [], allowedHosts: [] };

describe('the pictures of a checked page', () => {
  scenario(
    'are found where they are certified though they were resized and recompressed, with the date of the first, as a fact',
    covers('PV-PICTURES'),
    async () => {
      const pictures = await signed('lamp 1', 'lamp 2', 'lamp 3');
      await certified(world.store, 'shop.example', 'lamp', pictures);
      const copies = await Promise.all(pictures.map(smaller));
      const told = await picturesOn('http://copy.example/lamp', [...copies, await picture('not there')]);
      const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
        new Date(),
      );
      expect(told).toMatchObject({
        state: 'done',
        matches: [
          {
            host: 'shop.example',
            pictures: 3,
            of: 4,
            same: [],
            statement: `3 of 4 pictures of this page are certified for shop.example, first on ${date}.`,
            addresses: [0, 1, 2].map((at) => `http://copy.example/lamp-${at}.jpg`),
          },
        ],
      });
      expect(codesOf(told)).toEqual(['pictures_certified_for', 'pictures_first_here']);
    },
  );

  scenario(
    'are fetched once for all who ask, when the first one asks; a check by itself fetches none',
    covers('PV-PICTURES'),
    async () => {
      const bytes = await picture('once');
      const url = 'http://copy.example/once';
      servePicture(scene.shop, `${url}.jpg`, bytes);
      scene.shop.put(
        url,
        productPage({ '@context': 'https://schema.org', '@type': 'Product', name: 'x', image: `${url}.jpg` }),
      );
      const { id } = await scene.checkPage(url);
      const fetches = () => scene.shop.asked.filter((at) => at === 'copy.example/once.jpg').length;
      expect(fetches()).toBe(0);
      const [first, ...others] = await Promise.all([
        ask(String(id), 0),
        ...Array.from({ length: 4 }, () => ask(String(id), 20)),
      ]);
      expect(first?.state).toBe('pending');
      expect(others.map(({ state }) => state)).toEqual(Array(4).fill('done'));
      await ask(String(id));
      expect(fetches()).toBe(1);
      expect(codesOf(await ask(String(id)))).toEqual(['pictures_unknown']);
    },
  );

  scenario(
    'prove nothing where it is one alone, unless the page has the same name or GTIN',
    covers('PV-PICTURES'),
    async () => {
      const [bytes = new Uint8Array()] = await signed('vase');
      await certified(world.store, 'shop.example', 'vase', [bytes], {
        name: 'The Blue Vase',
        gtin: '4006381333931',
      });
      const copy = await smaller(bytes);
      const alone = await picturesOn('http://copy.example/vase', [copy, copy]);
      expect([alone.matches, codesOf(alone)]).toEqual([[], ['picture_alone']]);
      const named = await picturesOn('http://copy.example/vase-2', [copy], { name: ' the blue  VASE' });
      expect(named.matches).toMatchObject([{ pictures: 1, of: 1, same: ['name'] }]);
      expect(named.matches[0]?.statement).toMatch(
        /^The picture of this page is certified for shop\.example, first on .* The page has the same name as a product there\.$/,
      );
      const numbered = await picturesOn('http://copy.example/vase-3', [copy], {
        name: 'A vase',
        sku: '04006381333931',
      });
      expect(numbered.matches).toMatchObject([{ same: ['gtin'] }]);
    },
  );

  scenario(
    'that several merchants publish, or that are a maker’s, prove nothing and are said so',
    covers('PV-PICTURES'),
    async () => {
      const pictures = await signed('maker 1', 'maker 2');
      const id = await certified(world.store, 'shop.example', 'drill', pictures);
      const copies = await Promise.all(pictures.map(smaller));
      const url = 'http://copy.example/drill';
      expect((await picturesOn(url, copies)).matches).toHaveLength(1);
      const [first = '', second = ''] = await scene.imagesOf(id);
      const settings = { ...DEFAULTS, makersImages: [first] };
      expect(await scene.operate('PUT', settingsOf(world.store), settings)).toEqual(settings);
      expect(codesOf(await picturesOn(url, copies))).toEqual(['pictures_of_maker', 'picture_alone']);
      await scene.operate('PUT', settingsOf(world.store), { ...DEFAULTS, makersImages: [first, second] });
      expect(codesOf(await picturesOn(url, copies))).toEqual(['pictures_of_maker']);
      await scene.operate('PUT', settingsOf(world.store), { ...DEFAULTS, makersPictures: true });
      expect(codesOf(await picturesOn(url, copies))).toEqual(['pictures_of_maker']);
      await scene.operate('PUT', settingsOf(world.store), DEFAULTS);
      await certified(await scene.store('other.example'), 'other.example', 'drill', pictures);
      const shared = await picturesOn(url, copies);
      expect([shared.matches, codesOf(shared)]).toEqual([[], ['pictures_of_several']]);
    },
  );

  scenario(
    'are not told for shops on unproven hosts, hidden products, allowed hosts, stores that opted out, or the shop’s own pages',
    covers('PV-PICTURES'),
    async () => {
      const pictures = await signed('chair 1', 'chair 2');
      const unproven = await scene.store('unproven.example', { proven: false });
      await certified(unproven, 'unproven.example', 'chair', pictures);
      const copies = await Promise.all(pictures.map(smaller));
      const url = 'http://copy.example/chair';
      const unknown = async () => {
        const told = await picturesOn(url, copies);
        expect([told.matches, codesOf(told)]).toEqual([[], ['pictures_unknown']]);
      };
      await unknown();
      const id = await certified(world.store, 'shop.example', 'chair', pictures);
      expect((await picturesOn(url, copies)).matches).toHaveLength(1);
      for (const settings of [
        { ...DEFAULTS, told: false },
        { ...DEFAULTS, allowedHosts: ['copy.example'] },
      ]) {
        await scene.operate('PUT', settingsOf(world.store), settings);
        await unknown();
      }
      await scene.operate('PUT', settingsOf(world.store), DEFAULTS);
      const own = await picturesOn(`${SHOP}/about-chairs`, copies);
      expect([own.matches, codesOf(own)]).toEqual([[], ['pictures_of_this_shop']]);
      await scene.operate('PATCH', `/products/${id}`, { visible: false });
      await unknown();
      await scene.operate('PATCH', `/products/${id}`, { visible: true });
      expect((await picturesOn(url, copies)).matches).toHaveLength(1);
      await scene.operate('DELETE', `/products/${id}`);
      await unknown();
    },
  );

  scenario(
    'are told of a merchant that does not want to be named to its own key alone, on every surface',
    covers('PV-PICTURES', 'PV-KNOWN'),
    async () => {
      const store = await lanternhill();
      const pictures = await signed('quiet 1', 'quiet 2');
      await certified(store, 'lanternhill.example', 'bench', pictures);
      const merchant = `/merchants/${store.merchantId}`;
      const { key } = await scene.operate('POST', `${merchant}/api-keys`);
      const of = async (url: string, by?: string) => {
        const headers = { 'content-type': 'application/json', ...(by && { authorization: `Bearer ${by}` }) };
        const body = JSON.stringify({ url, images: 'match' });
        const asked = { method: 'POST', headers, body };
        const checked = await fetch(`${scene.service.url}/api/v1/mc4p/page-checks`, asked);
        const report = (await checked.json()) as { id: string; findings: string[]; related?: object[] };
        const path = `${scene.service.url}/api/v1/mc4p/page-checks/${report.id}/pictures?wait=20`;
        const told = (await (await fetch(path, { headers })).json()) as PictureMatches;
        const findings = report.findings.map((finding) => finding.split(':')[0]);
        return { findings, related: report.related, matches: told.matches, codes: codesOf(told) };
      };
      const copy = 'http://lanternhill-outlet.example/bench';
      const own = 'http://lanternhill.example/about-benches';
      for (const url of [copy, own]) await picturesOn(url, pictures);
      const named = { copy: await of(copy), own: await of(own) };
      expect(named.copy).toMatchObject({
        findings: ['lookalike_host', 'pictures_certified_elsewhere'],
        related: [{ host: 'lanternhill.example' }],
        matches: [{ host: 'lanternhill.example' }],
      });
      expect(named.own).toMatchObject({
        findings: ['host_certified_elsewhere'],
        codes: ['pictures_of_this_shop'],
      });
      await scene.operate('PUT', `${merchant}/sites`, { optOut: true });
      const nothing = { related: undefined, matches: [], codes: ['pictures_unknown'] };
      for (const by of [undefined, scene.service.operatorKey])
        for (const url of [copy, own])
          await expect.poll(() => of(url, by)).toEqual({ ...nothing, findings: ['pictures_not_certified'] });
      expect({ copy: await of(copy, String(key)), own: await of(own, String(key)) }).toEqual(named);
      await scene.operate('PUT', `${merchant}/sites`, { optOut: false });
    },
  );

  scenario(
    'and a name like that of the shop are listed for its merchant, who decides about the host',
    covers('PV-COPIES'),
    async () => {
      const store = await lanternhill();
      const pictures = await signed('listed 1', 'listed 2');
      await certified(store, 'lanternhill.example', 'shelf', pictures);
      const copy = 'http://lanternhlil.example/shelf?who=me';
      const listed = async () => {
        const { domains } = await scene.operate('GET', `/stores/${store.id}/copies`);
        return (domains as { domain: string }[]).find(({ domain }) => domain === 'lanternhlil.example');
      };
      expect((await picturesOn(copy, pictures)).matches).toHaveLength(1);
      expect(await listed()).toMatchObject({
        copies: [],
        hosts: [
          {
            host: 'lanternhlil.example',
            url: 'http://lanternhlil.example/shelf',
            state: 'new',
            found: {
              pictures: { original: 'lanternhill.example', pictures: 2, of: 2 },
              name: { original: 'lanternhill.example', resemblance: ['swapped_letters'] },
            },
          },
        ],
      });
      const path = `/stores/${store.id}/copies/lanternhlil.example`;
      expect(await scene.operate('PUT', path, { state: 'allowed' })).toMatchObject({ state: 'allowed' });
      expect(codesOf(await picturesOn(copy, pictures))).toEqual(['pictures_unknown']);
      await scene.operate('PUT', path, { state: 'reported' });
      expect((await picturesOn(copy, pictures)).matches).toHaveLength(1);
    },
  );

  scenario('that cannot be read are told, and end within the limits', covers('PV-PICTURES'), async () => {
    const pages = [
      Buffer.from('<html>not an image</html>'),
      // a picture that says it has 900 million pixels
      withSize(await picture('bomb', 'png'), 30_000),
      Buffer.alloc(21_000_000, 0xff),
      await sharp({ create: { width: 90, height: 90, channels: 3, background: '#fff' } })
        .jpeg()
        .toBuffer(),
    ];
    const told = await picturesOn('http://copy.example/hostile', pages);
    expect(told.matches).toEqual([]);
    expect(told.findings).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'pictures_unread', pictures: 4 })]),
    );
    const many = await Promise.all(Array.from({ length: 14 }, () => picture('many')));
    expect(codesOf(await picturesOn('http://copy.example/many', many))).toContain('pictures_left_out');
    expect(codesOf(await picturesOn('http://copy.example/none', []))).toEqual(['pictures_absent']);
  });
});

/** A PNG whose header states another size, with its checksum as it was. */
function withSize(png: Buffer, side: number): Buffer {
  const changed = Buffer.from(png);
  changed.writeUInt32BE(side, 16);
  changed.writeUInt32BE(side, 20);
  return changed;
}

scenario('two nodes fetch the pictures of a page once', covers('PV-PICTURES'), async () => {
  const second = await startService(
    readConfig({
      TOUCHSTONE_FETCH_CONNECT_TO: `copy.example=127.0.0.1:${scene.shop.port}`,
      TOUCHSTONE_BASE_URL: scene.baseUrl,
      TOUCHSTONE_PORT: '0',
      TOUCHSTONE_LOG_LEVEL: 'silent',
      TOUCHSTONE_DATA_DIR: folder,
      TOUCHSTONE_BLOBS: join(scene.service.dataDir, 'blobs'),
      TOUCHSTONE_DATABASE_URL: databaseUrl(scene.service.database),
      TOUCHSTONE_DATABASE_CONNECTIONS: '4',
      TOUCHSTONE_MASTER_KEY_FILE: join(scene.service.dataDir, 'master.key'),
    }),
  );
  try {
    const url = 'http://copy.example/two-nodes';
    servePicture(scene.shop, `${url}.jpg`, await picture('two nodes'));
    scene.shop.put(
      url,
      productPage({ '@context': 'https://schema.org', '@type': 'Product', name: 'x', image: `${url}.jpg` }),
    );
    const { id } = await scene.checkPage(url);
    const path = `/api/v1/mc4p/page-checks/${String(id)}/pictures?wait=20`;
    const answers = await Promise.all(
      [scene.service.url, second.url].map(async (node) => (await fetch(node + path)).json()),
    );
    expect(answers.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(scene.shop.asked.filter((at) => at === 'copy.example/two-nodes.jpg')).toHaveLength(1);
  } finally {
    await second.close();
  }
});

scenario('a report that does not exist has no pictures', covers('PV-PICTURES'), async () => {
  const answer = await scene.call(
    'GET',
    '/api/v1/mc4p/page-checks/6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01/pictures',
  );
  expect([answer.status, answer.json.code]).toEqual([404, 'page_check_unknown']);
});
