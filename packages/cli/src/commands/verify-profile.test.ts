import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openImageWorkers } from '@touchstone/image/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { pictures } from '../../../../test/images/pictures.ts';
import { assetCertificateOf, imageCertificateOf } from '../../../../test/kit/asset-certificate.ts';
import { useFolder } from '../../../../test/kit/folder.ts';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
} from '../../../certificate/src/testing/issuer.ts';
import { developmentChain } from '../../../server/src/core/images/development-chain.ts';
import { runCli } from '../testing.ts';

const PAGE = TEST_PRODUCT.url;
const OTHER = '11111111-2222-4333-8444-555555555555';
const KIND_WORDS: Readonly<Record<string, string>> = {
  product: 'of a product',
  asset: 'of an image of a product',
  image: 'of an image',
};
const FOREIGN = 'https://copy.example/products/cup';

const folder = useFolder('profile');
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  const issuer = await createTestIssuer();
  const product = await issuer.certificate();
  const { proof: _, ...identity } = product;
  await writeFile(path('jwks.json'), JSON.stringify(issuer.jwks));
  await writeFile(path('product.json'), JSON.stringify(product));
  await writeFile(path('identity.json'), JSON.stringify(identity));
  await writeFile(
    path('page.html'),
    `<script type="application/ld+json">${JSON.stringify(product)}</script>`,
  );
  await writeFile(path('proof.json'), JSON.stringify(product.proof));
  await writeFile(path('proof.jwt'), `${(product.proof as { jwt: string }).jwt}\n`);
  const asset = await assetCertificateOf(new Uint8Array([1]), issuer);
  const { proof, ...unsigned } = asset as { proof: { jwt: string } };
  await writeFile(path('asset-unsigned.json'), JSON.stringify(unsigned));
  await writeFile(
    path('asset-edited.json'),
    JSON.stringify({ ...asset, contentUrl: 'https://shop.example/b.jpg' }),
  );
  await writeFile(path('asset-proof.jwt'), proof.jwt);
  await writeFile(path('mixed.json'), JSON.stringify({ ...product, proof }));
  await writeFile(path('image.json'), JSON.stringify(await imageCertificateOf(issuer)));
  await writeFile(path('bare.html'), '<p>Cup</p>');

  const { 'image/jpeg': plain } = await pictures();
  const signer = await developmentChain(TEST_NOW);
  const trust = { name: '', date: '', anchorsPem: '' };
  const workers = openImageWorkers({ processes: 1, memoryMb: 1_000, timeoutMs: 60_000, trust });
  const manifest = {
    title: 'A cup',
    claimGenerator: { name: 'Touchstone', version: '1.2.3' },
    actions: [],
    assertions: [],
  };
  const signed = await workers.sign(plain, manifest, signer);
  await workers.close();
  await writeFile(path('signed.jpg'), signed);
  await writeFile(path('plain.jpg'), plain);
  for (const [name, bytes] of [
    ['asset.json', signed],
    ['asset-of-plain.json', plain],
  ] as const) {
    await writeFile(path(name), JSON.stringify(await assetCertificateOf(bytes, issuer)));
  }
});

function verify(file: string, more: readonly string[]) {
  const page = more.includes('--page-url') ? [] : ['--page-url', PAGE];
  const argv = ['verify', path(file), '--issuer', TEST_ISSUER, '--jwks', path('jwks.json'), ...page, ...more];
  return runCli(argv, { now: TEST_NOW });
}

describe('touchstone verify --profile', () => {
  it.each([
    ['a sound document', 'product.json', ['--profile', 'standard'], 'TRUSTED', 0],
    ['a sound document', 'product.json', ['--profile', 'minimal'], 'TRUSTED', 0],
    ['a page with it', 'page.html', ['--profile', 'standard'], 'TRUSTED', 0],
    ['a copy', 'page.html', ['--profile', 'minimal', '--page-url', FOREIGN], 'UNTRUSTED', 1],
    [
      'a page at another address of its host',
      'page.html',
      ['--profile', 'minimal', '--page-url', `${PAGE}?color=red`],
      'TRUSTED',
      0,
    ],
    [
      'another page of the site',
      'product.json',
      ['--profile', 'minimal', '--page-url', `${PAGE}-2`],
      'TRUSTED',
      0,
    ],
    [
      'another page of the site',
      'product.json',
      ['--profile', 'standard', '--page-url', `${PAGE}-2`],
      'UNTRUSTED',
      1,
    ],
    ['nothing signed', 'identity.json', ['--profile', 'minimal'], 'UNDETERMINED', 3],
    ['nothing signed', 'identity.json', ['--profile', 'standard'], 'UNTRUSTED', 1],
    ['no certificate', 'bare.html', ['--profile', 'standard'], 'NO CERTIFICATE', 2],
    ['a certificate of an image', 'asset.json', ['--profile', 'standard'], 'TRUSTED', 0],
  ])('%s, %s %j: %s', async (_, file, more, title, code) => {
    const ran = await verify(file, more);
    expect([ran.out.split('  ')[0], ran.code]).toEqual([title, code]);
  });

  it('names what was signed', async () => {
    expect((await verify('asset.json', ['--profile', 'standard'])).out).toMatch(
      /\nSigned\n {2}shop .*\n {2}product .*\n {2}page .*\n {2}image .*\n {2}issuer .*\n/,
    );
    const { signed } = (await verify('product.json', ['--profile', 'standard', '--json'])).json();
    expect(signed).toMatchObject({ kind: 'product', issuer: TEST_ISSUER, url: PAGE });
  });

  it('full: the bytes must be the certified ones, and their manifest must be valid', async () => {
    const sound = await verify('asset.json', ['--image', path('signed.jpg'), '--json']);
    expect(sound.code).toBe(0);
    expect(sound.json()).toMatchObject({
      profile: 'full',
      status: 'trusted',
      kind: 'asset',
      profiles: { minimal: 'trusted', standard: 'trusted', full: 'trusted' },
      checks: { imageBound: { result: true }, c2paValid: { result: true } },
      warnings: [expect.stringMatching(/^signer_untrusted:/)],
    });
    for (const [file, image, told] of [
      ['asset.json', 'plain.jpg', 'image_differs'],
      ['asset-of-plain.json', 'plain.jpg', 'manifest_absent'],
    ] as const) {
      const ran = await verify(file, ['--image', path(image)]);
      expect([ran.out.split('  ')[0], ran.code]).toEqual(['UNTRUSTED', 1]);
      expect(ran.out).toContain(`${told}:`);
    }
    const unbound = await verify('product.json', ['--image', path('signed.jpg')]);
    expect([unbound.out.split('  ')[0], unbound.code]).toEqual(['UNDETERMINED', 3]);
    expect(unbound.out).toContain('take the certificate of the image');
  });

  it('cannot tell from a file that is not an image', async () => {
    const ran = await verify('asset.json', ['--image', path('jwks.json')]);
    expect(ran).toMatchObject({ code: 3, out: '', err: expect.stringContaining('was not opened') });
  });

  it('says which options belong together', async () => {
    for (const [file, more] of [
      ['product.json', ['--profile', 'full']],
      ['product.json', ['--profile', 'best']],
      ['product.json', ['--trust', path('jwks.json')]],
      ['page.html', ['--image', path('signed.jpg')]],
      ['asset.json', ['--image', path('missing.jpg')]],
      ['asset.json', ['--image', path('signed.jpg'), '--trust', path('jwks.json')]],
    ] as const) {
      const { code, out } = await verify(file, more);
      expect([more, code, out]).toEqual([more, 64, '']);
    }
    const url = await runCli(['verify', PAGE, '--issuer', TEST_ISSUER, '--image', path('signed.jpg')]);
    expect(url).toMatchObject({ code: 64, err: expect.stringContaining('--image requires') });
    const both = await runCli(['verify', '-', '--page-url', PAGE, '--issuer', TEST_ISSUER, '--image', '-']);
    expect(both.code).toBe(64);
  });
});

describe('touchstone verify, a certificate of any kind', () => {
  const COPY = ['--page-url', FOREIGN];
  it.each<[string, string, readonly string[], string, string, number]>([
    ['a product', 'product.json', [], 'product', 'verified', 0],
    ['an image of a product', 'asset.json', [], 'asset', 'verified', 0],
    ['an image of a product, copied', 'asset.json', COPY, 'asset', 'failed', 1],
    ['an image of a product, edited', 'asset-edited.json', [], 'asset', 'failed', 1],
    ['an image of a product, unsigned', 'asset-unsigned.json', [], 'asset', 'unverified', 2],
    ['an image of another product', 'asset.json', ['--product-id', OTHER], 'asset', 'failed', 1],
    ['an image by its id', 'image.json', [], 'image', 'verified', 0],
    ['an image by its id, copied', 'image.json', COPY, 'image', 'failed', 1],
    ['the proof of a product, as the member', 'proof.json', [], 'product', 'verified', 0],
    ['the proof of a product, as text', 'proof.jwt', [], 'product', 'verified', 0],
    ['the proof of a product, copied', 'proof.jwt', COPY, 'product', 'failed', 1],
    ['the proof of an image', 'asset-proof.jwt', [], 'asset', 'verified', 0],
    ['the proof of an image in the document of a product', 'mixed.json', [], 'product', 'failed', 1],
  ])('%s', async (_, file, more, kind, status, code) => {
    const ran = await verify(file, [...more, '--json']);
    expect([ran.json().kind, ran.json().status, ran.code]).toEqual([kind, status, code]);
    const { out } = await verify(file, more);
    expect(out).toMatch(new RegExp(`^  verdict +${status}$`, 'm'));
    expect(out).toContain(KIND_WORDS[kind]);
  });

  it('a proof alone, by a profile', async () => {
    const ran = await verify('asset-proof.jwt', ['--profile', 'standard', '--json']);
    expect([ran.json().kind, ran.json().status, ran.code]).toEqual(['asset', 'trusted', 0]);
  });
});
