import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ImageMediaType, loadManifestEngine, type ManifestToSign, readHeader } from '@touchstone/image';
import { type ImageWorkers, type ManifestSigner, openImageWorkers } from '@touchstone/image/node';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DEVELOPMENT_LABEL,
  developmentChain,
} from '../../packages/server/src/core/images/development-chain.ts';
import { pictures } from './pictures.ts';

const MANIFEST: ManifestToSign = {
  title: 'A cup',
  claimGenerator: { name: 'Touchstone', version: '1.2.3' },
  actions: [{ action: 'c2pa.published', when: '2026-03-04T12:00:00Z' }],
  assertions: [{ label: 'org.example.product', data: { page: 'https://shop.example/cups/a-cup-of-cups' } }],
};
const FORMATS = Object.entries(await pictures()) as [ImageMediaType, Buffer][];

let signer: ManifestSigner;
let workers: ImageWorkers;
beforeAll(async () => {
  signer = await developmentChain(new Date());
  const [, authority = ''] = signer.certificateChainPem.split(/(?<=-----END CERTIFICATE-----\n)/);
  const trust = { name: 'test', date: '2026-03-04', anchorsPem: authority };
  workers = openImageWorkers({ processes: 1, memoryMb: 1_000, timeoutMs: 60_000, trust });
});
afterAll(() => workers.close());

describe.each(FORMATS)('%s', (mediaType, picture) => {
  it('is valid when read back after signing, with everything that we state', async () => {
    const signed = await workers.sign(picture, MANIFEST, signer);
    expect(readHeader(signed)).toEqual({ mediaType, width: 96, height: 64 });
    const { manifest, phash } = await workers.inspect(signed);
    expect(manifest).toMatchObject({
      hasManifest: true,
      valid: true,
      failures: [],
      trust: { status: 'trusted', list: 'test' },
      signer: { issuer: DEVELOPMENT_LABEL },
      claimGenerator: 'Touchstone 1.2.3',
      title: 'A cup',
      actions: [{ action: 'c2pa.opened' }, { action: 'c2pa.published', when: '2026-03-04T12:00:00Z' }],
      ingredients: [{ relationship: 'parentOf', failures: [] }],
      assertions: MANIFEST.assertions,
    });
    expect(phash).toBe((await workers.inspect(picture)).phash);
  });

  it('is invalid after any one bit of image, assertion or protected header was flipped', async () => {
    const signed = await workers.sign(picture, MANIFEST, signer);
    const read = await reader();
    const flip = fc.tuple(
      fc.constantFrom(...coveredPositions(signed, picture)),
      fc.integer({ min: 0, max: 7 }),
    );
    await fc.assert(
      fc.asyncProperty(flip, async ([at, bit]) => {
        const changed = new Uint8Array(signed);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        expect((await read(changed, mediaType)).valid).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});

/** The engine in this process, since these images are small and trusted. */
async function reader() {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm')));
  const engine = await loadManifestEngine(wasm);
  return (bytes: Uint8Array, mediaType: ImageMediaType) =>
    engine.read(bytes, mediaType, { name: '', date: '', anchorsPem: '' });
}

/** Positions at which the signed image repeats 16 bytes of the picture, or of the data to be signed. */
function coveredPositions(signed: Uint8Array, picture: Buffer): number[] {
  const file = Buffer.from(signed);
  // the C2PA specification (A.5) excludes the first box of a HEIC or AVIF from its hash
  const begin = file.toString('latin1', 4, 8) === 'ftyp' ? file.readUInt32BE(0) : 0;
  const [leaf = ''] = signer.certificateChainPem.match(/[A-Za-z0-9+/=\n]{200,}/) ?? [];
  const covered = [picture, Buffer.from(leaf, 'base64'), Buffer.from(JSON.stringify(MANIFEST.assertions))];
  return covered.flatMap((part) => {
    const found = repeated(file, part).filter((at) => at >= begin);
    expect(found.length).toBeGreaterThan(3);
    return found;
  });
}

function repeated(file: Buffer, part: Buffer): number[] {
  const window = 16;
  return Array.from({ length: file.length - window }, (_, at) => at).filter((at) => {
    const piece = file.subarray(at, at + window);
    // runs of one byte occur everywhere, also in the unsigned padding
    return new Set(piece).size > 4 && part.includes(piece);
  });
}

describe('an image that already has a manifest', () => {
  it('keeps it as that of its parent', async () => {
    const [, png] = FORMATS.find(([mediaType]) => mediaType === 'image/png') ?? [];
    const once = await workers.sign(png ?? Buffer.of(), MANIFEST, signer);
    const { manifest } = await workers.inspect(
      await workers.sign(once, { ...MANIFEST, title: 'Again' }, signer),
    );
    expect(manifest).toMatchObject({ valid: true, title: 'Again', ingredients: [{ failures: [] }] });
  });

  it('that does not validate is signed, and the fault is reported for its parent', async () => {
    const [, png = Buffer.of()] = FORMATS.find(([mediaType]) => mediaType === 'image/png') ?? [];
    const broken = Buffer.from(await workers.sign(png, MANIFEST, signer));
    const at = broken.indexOf('IDAT') + 40;
    broken[at] = (broken[at] ?? 0) ^ 1;
    expect((await workers.inspect(broken)).manifest.valid).toBe(false);
    const { manifest } = await workers.inspect(await workers.sign(broken, MANIFEST, signer));
    expect(manifest.valid).toBe(true);
    expect(manifest.ingredients[0]?.failures.map(({ code }) => code)).toEqual([
      'assertion.dataHash.mismatch',
    ]);
  });
});

it('a chain that C2PA does not accept is refused, and nothing is signed', async () => {
  const other = await developmentChain(new Date());
  const [, picture = Buffer.of()] = FORMATS[0] ?? [];
  await expect(
    workers.sign(picture, MANIFEST, { ...signer, privateKeyPem: other.privateKeyPem }),
  ).rejects.toThrow('not that of the first certificate');
  const past = await developmentChain(new Date('2001-01-01'));
  await expect(workers.sign(picture, MANIFEST, past)).rejects.toThrow('signingCredential.expired');
});
