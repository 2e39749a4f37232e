import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compareImages } from '@touchstone/image';
import { type ImageWorkers, openImageWorkers } from '@touchstone/image/node';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeDistance, expectAgreement } from '../kit/browser-images/agreement.ts';
import {
  type ImageBrowser,
  type ImagePage,
  NO_BROWSER,
  openImageBrowser,
} from '../kit/browser-images/open-browser.ts';

const CORPUS = join(
  process.env.TOUCHSTONE_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora'),
  'c2pa-images',
);
const IMAGES = existsSync(CORPUS) ? readdirSync(CORPUS).filter((name) => /\.jpe?g$/.test(name)) : [];
const why = NO_BROWSER === null ? '' : ` (skipped: ${NO_BROWSER})`;

/** Ways in which shops store photographs, and by how many bits of 64 Chromium's code may then differ from Node's. */
const STORED: Readonly<Record<string, readonly [number, (photo: Sharp) => Sharp]>> = {
  'JPEG of quality 30': [0, (photo) => photo.jpeg({ quality: 30 })],
  'JPEG, whole colours': [0, (photo) => photo.jpeg({ chromaSubsampling: '4:4:4' })],
  'progressive JPEG': [0, (photo) => photo.jpeg({ progressive: true })],
  'grey JPEG': [0, (photo) => photo.greyscale().jpeg()],
  'JPEG of 10 megapixels': [0, (photo) => photo.resize({ width: 4_000 }).jpeg()],
  'JPEG, stored on its side': [0, (photo) => photo.withMetadata({ orientation: 6 }).jpeg()],
  'JPEG in Display P3': [2, (photo) => photo.withIccProfile('p3').jpeg()],
  'JPEG in CMYK': [4, (photo) => photo.toColourspace('cmyk').withIccProfile('cmyk').jpeg()],
  PNG: [0, (photo) => photo.png()],
  'PNG, partly transparent': [0, (photo) => photo.ensureAlpha(0.4).png()],
  'PNG of 16 bits': [0, (photo) => photo.toColourspace('rgb16').png()],
  'PNG with a palette': [0, (photo) => photo.png({ palette: true })],
  'PNG in Display P3': [2, (photo) => photo.withIccProfile('p3').png()],
  'WebP of quality 30': [0, (photo) => photo.webp({ quality: 30 })],
  'WebP, lossless': [0, (photo) => photo.webp({ lossless: true })],
  'WebP in Display P3': [2, (photo) => photo.withIccProfile('p3').webp()],
  'AVIF of quality 30': [2, (photo) => photo.avif({ quality: 30, effort: 1 })],
  'AVIF of quality 60': [2, (photo) => photo.avif({ quality: 60, effort: 1 })],
  GIF: [0, (photo) => photo.gif()],
};

describe.runIf(IMAGES.length > 0 && NO_BROWSER === null)(
  `the public C2PA test images, in Chromium${why}`,
  () => {
    let browser: ImageBrowser;
    let page: ImagePage;
    let node: ImageWorkers;
    beforeAll(async () => {
      browser = await openImageBrowser();
      page = await browser.openPage();
      const trust = { name: 'test', date: '2026-03-04', anchorsPem: '' };
      node = openImageWorkers({ processes: 1, memoryMb: 1_000, timeoutMs: 60_000, trust });
    });
    afterAll(async () => {
      await browser?.close();
      await node?.close();
    });

    async function bothInspect(bytes: Uint8Array) {
      const [came, inNode] = await Promise.all([page.inspect(bytes), node.inspect(bytes)]);
      if (!('inspection' in came)) throw new Error(JSON.stringify(came));
      return { inBrowser: came.inspection, inNode };
    }

    it.each(IMAGES)('%s is judged as in Node, with the same codes', async (image) => {
      const { inBrowser, inNode } = await bothInspect(readFileSync(join(CORPUS, image)));
      expectAgreement(inBrowser, inNode);
      expect([inBrowser.phash, inBrowser.frameCode]).toEqual([inNode.phash, inNode.frameCode]);
      expect(compareImages({ ...inBrowser, uhash: 'as the browser saw it' }, inNode).likeness).toBe(
        'same_picture',
      );
    });

    it.each(Object.entries(STORED))(
      'a photograph as %s has the same codes as in Node, or nearly so',
      async (_, [bits, store]) => {
        const file = await store(sharp(join(CORPUS, 'adobe-20220124-A.jpg'))).toBuffer();
        const { inBrowser, inNode } = await bothInspect(file);
        expectAgreement(inBrowser, inNode);
        expect(inNode.phash).toBeDefined();
        expect(codeDistance(inBrowser.phash, inNode.phash)).toBeLessThanOrEqual(bits);
        expect(codeDistance(inBrowser.frameCode, inNode.frameCode)).toBeLessThanOrEqual(bits);
      },
    );
  },
);
