import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { createKeySet, verifyProfiles, type ProfileVerification } from '@touchstone/certificate/verify';
import { type ImageMediaType, type ManifestToSign, manifestReader } from '@touchstone/image';
import { type ImageWorkers, openImageWorkers } from '@touchstone/image/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentChain } from '../../packages/server/src/images/signing-chain.ts';
import { assetCertificateOf } from '../support/asset-certificate.ts';
import { type ImageBrowser, NO_BROWSER, openImageBrowser } from '../support/browser-images/open-browser.ts';
import type { PageOptions } from '../support/browser-images/page.ts';
import { pictures } from './pictures.ts';

const MANIFEST: ManifestToSign = {
  title: 'A cup',
  claimGenerator: { name: 'Touchstone', version: '0.1.0' },
  actions: [{ action: 'c2pa.published', when: '2026-03-04T12:00:00Z' }],
  assertions: [{ label: 'org.example.product', data: { page: TEST_PRODUCT.url } }],
};
const FORMATS = Object.entries(await pictures()) as [ImageMediaType, Buffer][];

describe.skipIf(NO_BROWSER !== null)('x', () => {
  let browser: ImageBrowser;
  let node: ImageWorkers;
  it('smoke', async () => {
    const signer = await developmentChain(new Date());
    const [, anchorsPem = ''] = signer.certificateChainPem.split(/(?<=-----END CERTIFICATE-----\n)/);
    const trust = { name: 'test', date: '2026-03-04', anchorsPem };
    node = openImageWorkers({ processes: 1, memoryMb: 1_000, timeoutMs: 20_000, trust });
    browser = await openImageBrowser();
    const page = await browser.openPage({ anchorsPem });
    for (const [t, p] of FORMATS) {
      const s = await node.sign(p, MANIFEST, signer);
      console.log(t, JSON.stringify(await page.inspect(s)).slice(0, 400));
    }
    console.log(browser.requests());
    for (const mb of [4, 6, 8,12, 16, 24, 32, 48, 64]) {
      const q = await browser.openPage({ memoryMb: mb });
      const s = await node.sign(FORMATS[0]![1], MANIFEST, signer);
      console.log(mb, JSON.stringify(await q.inspect(s)).slice(0, 100));
      const big = Buffer.concat([s, Buffer.alloc(19_900_000-s.length)]);
      console.log(mb, JSON.stringify(await q.inspect(big)).slice(0, 100));
    }
    await browser.close(); await node.close();
  });
});
