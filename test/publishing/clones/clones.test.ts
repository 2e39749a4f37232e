import type { PageReport, PictureMatches } from '@touchstone/contract';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { sketchText } from '../../../packages/server/src/parts/picture-matches/text-sketch.ts';
import { mapConcurrently } from '../../../packages/server/src/platform/map-concurrently.ts';
import { SAME_BYTES } from '../../kit/copied-pictures.ts';
import { PATIENT } from '../../kit/patience.ts';
import { servePicture } from '../../kit/pictures.ts';
import { clonedProducts, demoText } from './cloned-products.ts';
import { type OriginalProduct, openClonedShop } from './cloned-shop.ts';
import {
  type Clone,
  type CloneKind,
  changedCertificate,
  changedText,
  clonePage,
  GOALS,
  makeClones,
  ORIGINAL,
  shuffledSentences,
  UNRELATED,
} from './make-clones.ts';
import { photograph } from './photographs.ts';

const AT_ONCE = 4;
const products = await clonedProducts();
const clones = makeClones(products.length);
const HONEST_HOSTS = ['kupferkanne.de', 'brightpaws.de', 'saltmarshceramics.com'];

const shop = await openClonedShop(
  products,
  [...new Set(clones.map(({ url }) => new URL(url).host)), ...HONEST_HOSTS],
  {
    TOUCHSTONE_SWEEPS: 'true',
    TOUCHSTONE_SWEEP_PER_HOST: '1000',
  },
);
afterAll(() => shop.scene.close());

/** What a stranger is told about a page. */
interface Told {
  readonly report: PageReport;
  readonly pictures: PictureMatches;
  /** That its host resembles the original. */
  readonly byName: boolean;
  /** That its pictures are certified for the original. */
  readonly byPictures: boolean;
  /** That its certificate fails and was issued to the original. */
  readonly byCertificate: boolean;
}

async function ask(url: string): Promise<Told> {
  const report = (await shop.scene.checkPage(url)) as unknown as PageReport;
  const path = `/api/v1/mc4p/page-checks/${report.id}/pictures?wait=20`;
  const pictures = (await shop.scene.call('GET', path)).json as unknown as PictureMatches;
  expect(pictures.state).toBe('done');
  return {
    report,
    pictures,
    byName:
      report.related?.some(({ host }) => host === ORIGINAL) === true &&
      report.findings.some((text) => text.startsWith('lookalike_host:') && text.includes(ORIGINAL)),
    byPictures: pictures.matches.some(({ host }) => host === ORIGINAL),
    byCertificate: report.verdict === 'checks_failed' && report.mc4p.issued_to === ORIGINAL,
  };
}

function servePictures(url: string, pictures: readonly Uint8Array[]): string[] {
  return pictures.map((bytes, at) => {
    const address = `${url}-${at}.jpg`;
    servePicture(shop.scene.shop, address, bytes);
    return address;
  });
}

async function askAbout({ kind, url, product: nth }: Clone, seed: number): Promise<Told> {
  const product = shop.products[nth];
  if (product === undefined) throw new Error(`there is no product ${nth}`);
  const images = servePictures(url, await shop.copies(product, kind.pictures));
  const text = changedText(kind.text, product.text, product.translated, seed);
  shop.scene.shop.put(
    url,
    clonePage(text, images, changedCertificate(kind.certificate, product.certificate, url)),
  );
  return ask(url);
}

type Result = { readonly kind: CloneKind } & Told;

const share = (results: readonly Result[], is: (result: Result) => boolean) =>
  results.filter(is).length / results.length;

/** Recall by each value of each dimension, of all clones, as lines of Markdown. */
function table(results: readonly Result[]): string {
  const percent = (part: readonly Result[], is: (result: Result) => boolean) =>
    `${(share(part, is) * 100).toFixed(1)} %`;
  const lines = (['host', 'certificate', 'text', 'pictures'] as const).flatMap((dimension) =>
    [...Map.groupBy(results, ({ kind }) => kind[dimension])].map(([value, part]) => {
      const goals = part.filter(({ kind }) => GOALS.includes(kind.pictures));
      const cells = [
        percent(part, ({ byName }) => byName),
        percent(part, ({ byCertificate }) => byCertificate),
        percent(part, ({ byPictures }) => byPictures),
        goals.length === 0 ? '' : percent(goals, ({ byPictures }) => byPictures),
        percent(part, isTold),
      ];
      return `| ${dimension}: ${value} | ${part.length} | ${cells.join(' | ')} |`;
    }),
  );
  return [
    '| clones | | by name | by certificate | by pictures | of those with a goal | by any |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

const isTold = ({ byName, byPictures, byCertificate }: Told) => byName || byPictures || byCertificate;

describe('a clone of a shop', () => {
  it('is told to a stranger by the pictures, by the name and by the certificate that it has from the shop', async () => {
    const told = await mapConcurrently(
      [...clones.entries()],
      () => AT_ONCE,
      async ([seed, clone]) => ({ kind: clone.kind, ...(await askAbout(clone, seed)) }),
    );
    process.stdout.write(`${table(told)}\n`);
    const goals = told.filter(({ kind }) => GOALS.includes(kind.pictures));
    const same = told.filter(({ kind }) => kind.pictures === SAME_BYTES);
    expect(share(goals, ({ byPictures }) => byPictures)).toBeGreaterThanOrEqual(0.95);
    expect(share(same, ({ byPictures }) => byPictures)).toBeGreaterThanOrEqual(0.99);
    const [unrelated, named] = [true, false].map((is) =>
      told.filter(({ kind }) => (kind.host === UNRELATED) === is),
    ) as [Result[], Result[]];
    expect(share(named, ({ byName }) => byName)).toBeGreaterThanOrEqual(0.95);
    expect(unrelated.filter(({ byName }) => byName)).toEqual([]);
    // whatever is done with a certificate, it proves nothing elsewhere
    for (const [certificate, part] of Map.groupBy(told, ({ kind }) => kind.certificate)) {
      const verdicts = new Set(part.map(({ report }) => report.verdict));
      expect([certificate, ...verdicts]).toEqual([
        certificate,
        certificate === 'stripped' ? 'no_certificate' : 'checks_failed',
      ]);
      if (certificate !== 'stripped') expect(part.filter(({ byCertificate }) => !byCertificate)).toEqual([]);
    }
    expect(JSON.stringify(told)).not.toMatch(/fraud|fake|stolen/i);
  });

  it('with one picture and another name is told by the text, kept or with its sentences in another order', async () => {
    const { scene, store } = shop;
    // texts of fewer than 15 words are not compared: two of those of the demo shop
    const described = shop.products.filter(({ text }) => sketchText(text.text) !== undefined);
    expect(described.length).toBeGreaterThanOrEqual(products.length - 2);
    for (const { url, text } of shop.products) scene.shop.put(url, clonePage(text, [], undefined));
    await scene.operate('POST', `/stores/${store.id}/sweep`);
    const read = () => scene.service.database.query('select from text_sketches');
    const isRead = async () => expect(await read()).toHaveLength(described.length);
    await vi.waitFor(isRead, { interval: 200, ...PATIENT });
    const kinds = {
      kept: ({ text }: OriginalProduct) => text.text,
      'in another order': ({ text }: OriginalProduct, seed: number) => shuffledSentences(text.text, seed),
      translated: ({ translated }: OriginalProduct) => translated.text,
      'of another product': (_: OriginalProduct, nth: number) =>
        described[(nth + 1) % described.length]?.text.text ?? '',
    };
    const told: Record<string, (number | undefined)[]> = {};
    for (const [kind, textOf] of Object.entries(kinds))
      told[kind] = await mapConcurrently(
        [...described.entries()],
        () => AT_ONCE,
        async ([nth, product]) => {
          const url = `http://${HONEST_HOSTS[0]}/${encodeURIComponent(kind)}/${product.handle}`;
          const [picture] = await shop.copies(product, SAME_BYTES);
          const images = servePictures(url, picture === undefined ? [] : [picture]);
          const text = textOf(product, nth);
          scene.shop.put(url, clonePage({ name: 'Something else', text }, images, undefined));
          const { pictures } = await ask(url);
          expect(pictures.matches.every(({ same }) => same.join() === 'text')).toBe(true);
          return pictures.matches[0]?.textShare;
        },
      );
    for (const [kind, shares] of Object.entries(told))
      process.stdout.write(`text ${kind}: ${shares.map((each) => each ?? 'not told').join(', ')}\n`);
    const isToldOf = (kind: string) => told[kind]?.filter((each) => each !== undefined).length;
    expect(Object.keys(kinds).map(isToldOf)).toEqual([described.length, described.length, 0, 0]);
  });

  it.each([
    ['with other goods', ['caddy', 'ladle', 'plate', 'spoon', 'tray']],
    [
      'with the same goods by the same names, photographed by itself',
      ['cup', 'bowl', 'vase', 'lamp', 'clock'],
    ],
  ] as const)('is no honest shop %s', async (_, handles) => {
    const told = await mapConcurrently(
      [...handles.entries()],
      () => AT_ONCE,
      async ([nth, handle]) => {
        const pictures = await Promise.all(
          [0, 1, 2].map((at) => photograph(`${handle}-1`, 5_000 + nth * 10 + at)),
        );
        const url = `http://${HONEST_HOSTS[nth % HONEST_HOSTS.length]}/${handle}`;
        const images = servePictures(
          url,
          pictures.map(({ file }) => file),
        );
        shop.scene.shop.put(url, clonePage(demoText(handle), images, undefined));
        return ask(url);
      },
    );
    for (const { report, pictures } of told) {
      expect([report.verdict, report.related, report.findings]).toEqual(['no_certificate', undefined, []]);
      expect([pictures.matches, pictures.findings.map(({ code }) => code)]).toEqual([
        [],
        ['pictures_unknown'],
      ]);
    }
  });
});
