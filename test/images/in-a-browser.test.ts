import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { createKeySet, type ProfileVerification, verifyProfiles } from '@touchstone/certificate/verify';
import { type ImageMediaType, type ManifestToSign, manifestReader } from '@touchstone/image';
import { type ImageWorkers, type ManifestSigner, openImageWorkers } from '@touchstone/image/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentChain } from '../../packages/server/src/core/images/development-chain.ts';
import { assetCertificateOf } from '../kit/asset-certificate.ts';
import { expectAgreement } from '../kit/browser-images/agreement.ts';
import {
  type ImageBrowser,
  type ImagePage,
  NO_BROWSER,
  openImageBrowser,
} from '../kit/browser-images/open-browser.ts';
import type { PageOptions } from '../kit/browser-images/page.ts';
import { rawServer } from '../kit/servers.ts';
import { pictures, withRemoteManifest } from './pictures.ts';

const MANIFEST: ManifestToSign = {
  title: 'A cup',
  claimGenerator: { name: 'Touchstone', version: '1.2.3' },
  actions: [{ action: 'c2pa.published', when: '2026-03-04T12:00:00Z' }],
  assertions: [{ label: 'org.example.product', data: { page: TEST_PRODUCT.url } }],
};
const PICTURES = await pictures();
const FORMATS = Object.entries(PICTURES) as [ImageMediaType, Buffer][];
const why = NO_BROWSER === null ? '' : ` (skipped: ${NO_BROWSER})`;

describe.skipIf(NO_BROWSER !== null)(`images in a page, in Chromium${why}`, () => {
  let signer: ManifestSigner;
  let node: ImageWorkers;
  let browser: ImageBrowser;
  let page: ImagePage;
  let anchorsPem: string;

  beforeAll(async () => {
    signer = await developmentChain(new Date());
    anchorsPem = signer.certificateChainPem.split(/(?<=-----END CERTIFICATE-----\n)/)[1] ?? '';
    const trust = { name: 'test', date: '2026-03-04', anchorsPem };
    node = openImageWorkers({ processes: 1, memoryMb: 1_000, timeoutMs: 60_000, trust });
    browser = await openImageBrowser();
    page = await browser.openPage({ anchorsPem });
  });
  afterAll(async () => {
    await browser?.close();
    await node?.close();
  });

  const sign = (picture: Buffer) => node.sign(picture, MANIFEST, signer);

  async function inspected(bytes: Uint8Array) {
    const outcome = await page.inspect(bytes);
    if (!('inspection' in outcome)) throw new Error(JSON.stringify(outcome));
    return outcome.inspection;
  }

  /** Results for valid images on a page with these options. */
  async function endsOn(options: PageOptions, ...images: readonly Uint8Array[]): Promise<string[]> {
    const own = await browser.openPage(options);
    const ends: string[] = [];
    for (const bytes of images) {
      const outcome = await own.inspect(bytes);
      ends.push('fault' in outcome ? outcome.fault : 'error' in outcome ? outcome.error : 'opened');
    }
    await own.close();
    return ends;
  }

  describe.each(FORMATS)('%s', (mediaType, picture) => {
    it('signed: the result is the same as in Node', async () => {
      const signed = await sign(picture);
      const found = await inspected(signed);
      expectAgreement(found, await node.inspect(signed));
      expect(found.manifest).toMatchObject({ valid: true, trust: { status: 'trusted', list: 'test' } });
      expect(found.pixelFinding).toBe(mediaType === 'image/heic' ? 'pixels_unsupported' : undefined);
    });

    it('tampered with: as invalid as in Node, for the same reasons', async () => {
      const changed = tampered(await sign(picture), picture);
      const { header, uhash, manifest } = await node.inspect(changed);
      expect(await inspected(changed)).toMatchObject({ header, uhash, manifest });
      expect(manifest.valid).toBe(false);
    });
  });

  it('a truncated image has no code', async () => {
    const cut = PICTURES['image/jpeg'].subarray(0, -200);
    const found = await inspected(cut);
    expect(found).toMatchObject({ pixelFinding: 'pixels_undecodable' });
    expectAgreement(found, await node.inspect(cut));
  });

  it('a browser that alters pixels computes no codes, rather than wrong ones', async () => {
    const own = await browser.openPage({ firstWorkers: ['/noisy-worker.js'] });
    const came = await own.inspect(PICTURES['image/png']);
    expect(came).toMatchObject({ inspection: { pixelFinding: 'pixels_withheld' } });
    expect(came).not.toHaveProperty('inspection.phash');
    await own.close();
  });

  it('an image causes no request, and only script and engine are loaded', async () => {
    browser.requests();
    const own = await browser.openPage();
    const canary = await rawServer((socket) => void socket.destroy());
    const came = await own.inspect(withRemoteManifest(PICTURES['image/jpeg'], `${canary.url}/manifest.c2pa`));
    expect(came).toMatchObject({
      inspection: { manifest: { hasManifest: false, failures: [{ code: 'manifest.inaccessible' }] } },
    });
    await own.inspect(await sign(PICTURES['image/png']));
    await own.close();
    expect(browser.requests()).toEqual(['/', '/page.js', '/worker.js', '/c2pa.wasm']);
    expect(canary.hits()).toBe(0);
    await canary.close();
  });

  it('the worker may be forbidden to send requests', async () => {
    expect(await endsOn({ firstWorkers: ['/forbidden-worker.js'] }, PICTURES['image/webp'])).toEqual([
      'opened',
    ]);
  });

  it('bytes that are not an image, or too many, are refused with the codes of Node', async () => {
    const files = [Buffer.from('a text'), Buffer.alloc(20_000_001)];
    expect(await endsOn({}, ...files)).toEqual(['not_an_image', 'too_large']);
  });

  describe('a lost worker fails only its own image', () => {
    const picture = PICTURES['image/png'];

    it('if it takes too long, while the page keeps running', async () => {
      const own = await browser.openPage({ firstWorkers: ['/stuck.js'], timeoutMs: 3_000 });
      const stuck = await own.inspect(picture);
      expect(stuck).toMatchObject({ fault: 'timed_out' });
      expect(stuck.turns).toBeGreaterThan(50);
      expect(await own.inspect(picture)).toHaveProperty('inspection');
      await own.close();
    });

    it('if it needs more memory than the engine may use', async () => {
      const signed = Buffer.from(await sign(PICTURES['image/jpeg']));
      const large = Buffer.concat([signed, Buffer.alloc(15_000_000)]);
      const ends = await endsOn({ memoryMb: 12 }, signed, large, signed);
      expect(ends).toEqual(['opened', 'worker_died', 'opened']);
    });

    it('and while there is none, images have no result: the reason is reported, and the next one is tried', async () => {
      const ends = await endsOn({ firstWorkers: ['/missing.js'] }, picture, picture);
      expect(ends).toEqual([expect.stringContaining('could not be started'), 'opened']);
      const [missing, other] = await Promise.all(
        ['/missing.wasm', '/other.wasm'].map((wasmUrl) => endsOn({ wasmUrl }, picture)),
      );
      expect(missing).toEqual([expect.stringContaining('/missing.wasm is to give the c2pa.wasm')]);
      expect(other).toEqual([expect.stringContaining('/other.wasm is to give the c2pa.wasm')]);
    });
  });

  it('a page in which the browser cannot hash is reported at once', async () => {
    await expect(browser.openPage({}, 'shop.example')).rejects.toThrow('served over https');
  });

  it('after closing, every call reports it, including waiting ones', async () => {
    const own = await browser.openPage({ firstWorkers: ['/stuck.js'] });
    const waiting = [PICTURES['image/png'], PICTURES['image/gif']].map((bytes) => own.inspect(bytes));
    await own.call('close');
    const ends = await Promise.all([...waiting, own.inspect(PICTURES['image/png'])]);
    expect(ends).toMatchObject([{ fault: 'closed' }, { fault: 'closed' }, { fault: 'closed' }]);
    await own.close();
  });

  it('Full is decided as in Node: only for the certified bytes with a valid manifest', async () => {
    const issuer = await createTestIssuer();
    const { pathname: _, hostname: domain } = new URL(TEST_PRODUCT.url);
    const at = { issuers: [TEST_ISSUER], now: TEST_NOW, context: { domain, pageUrl: TEST_PRODUCT.url } };
    const judged = async (certified: Uint8Array, seen: Uint8Array<ArrayBuffer>) => {
      const document = await assetCertificateOf(certified, issuer);
      const here = await page.call<ProfileVerification>(
        'verify',
        document,
        Buffer.from(seen).toString('base64'),
        issuer.jwks,
        at,
      );
      const there = await verifyProfiles({
        ...at,
        document,
        kind: 'asset',
        keySet: createKeySet(issuer.jwks),
        image: seen,
        readManifest: manifestReader(node),
      });
      expect(here).toEqual(there);
      return [here.profiles.full, ...here.errors.map((error) => error.split(':')[0])];
    };
    const sound = Uint8Array.from(await sign(PICTURES['image/jpeg']));
    const changed = Uint8Array.from(tampered(sound, PICTURES['image/jpeg']));
    expect(await judged(sound, sound)).toEqual(['trusted']);
    expect(await judged(sound, changed)).toEqual(['untrusted', 'image_differs', 'manifest_invalid']);
    expect(await judged(changed, changed)).toEqual(['untrusted', 'manifest_invalid']);
    const text = Uint8Array.from(Buffer.from('no image'));
    expect(await judged(text, text)).toEqual(['untrusted', 'manifest_absent']);
  });
});

/** The signed image with one inverted bit in the picture. */
function tampered(signed: Uint8Array, picture: Buffer): Buffer {
  const changed = Buffer.from(signed);
  const at = changed.indexOf(picture.subarray(-40, -24));
  expect(at).toBeGreaterThan(0);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
