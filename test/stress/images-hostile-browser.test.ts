import { type ImageFault, type ImageInspection, openImageWorkers } from '@touchstone/image/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentChain } from '../../packages/server/src/core/images/development-chain.ts';
import { pictures } from '../images/pictures.ts';
import {
  type ImageBrowser,
  type ImagePage,
  NO_BROWSER,
  openImageBrowser,
} from '../kit/browser-images/open-browser.ts';
import { seeded } from '../kit/random.ts';
import { hostileFiles } from './support/images/hostile-files.ts';
import { mutated } from './support/images/mutate.ts';

const SEED = 20_261_121;

const why = NO_BROWSER === null ? '' : ` (skipped: ${NO_BROWSER})`;

describe.skipIf(NO_BROWSER !== null)(`a file that was made to hurt, in a page in Chromium${why}`, () => {
  let browser: ImageBrowser;
  let page: ImagePage;
  let sound: Buffer;
  beforeAll(async () => {
    browser = await openImageBrowser();
    page = await browser.openPage({ memoryMb: 256, timeoutMs: 30_000 });
    sound = (await pictures())['image/png'];
    await page.inspect(sound);
    browser.requests();
  });
  afterAll(() => browser?.close());

  async function outcome(bytes: Uint8Array): Promise<string> {
    const came = await page.inspect(bytes);
    if ('error' in came) throw new Error(came.error);
    return 'fault' in came ? came.fault : 'told';
  }

  it.each(hostileFiles())(
    '%s: is read or refused as in Node, and the next image is decoded',
    async (_name, file, expected) => {
      expect(await outcome(file)).toBe(expected ?? 'told');
      expect(await outcome(sound)).toBe('told');
      expect(browser.requests()).toEqual([]);
    },
  );

  it('150 mutated files are read as in Node, except for their codes', async () => {
    const trust = { name: 'test', date: '2026-03-04', anchorsPem: '' };
    const node = openImageWorkers({ processes: 1, memoryMb: 600, timeoutMs: 60_000, trust });
    const signer = await developmentChain(new Date());
    const manifest = { title: 'x', claimGenerator: { name: 'x', version: '1' }, actions: [], assertions: [] };
    const plain = Object.values(await pictures());
    const originals = await Promise.all(plain.map((bytes) => node.sign(bytes, manifest, signer)));
    const random = seeded(SEED).integer;
    let told = 0;
    for (let n = 0; n < 150; n += 1) {
      const file = mutated(Buffer.from(originals[n % originals.length] ?? sound), random);
      const expected = await node.inspect(file).then(factsOf, (fault: ImageFault) => fault.code);
      const came = await page.inspect(file);
      expect('inspection' in came ? factsOf(came.inspection) : came).toEqual(
        typeof expected === 'string' ? expect.objectContaining({ fault: expected }) : expected,
      );
      told += typeof expected === 'string' ? 0 : 1;
    }
    await node.close();
    expect(told).toBeGreaterThan(75);
    expect(browser.requests()).toEqual([]);
  });
});

function factsOf({ header, uhash, manifest }: ImageInspection) {
  return { header, uhash, manifest };
}
