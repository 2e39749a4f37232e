import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ImageWorkers, openImageWorkers } from '@touchstone/image/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CORPUS = join(
  process.env.TOUCHSTONE_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora'),
  'c2pa-images',
);
const IMAGES = existsSync(CORPUS) ? readdirSync(CORPUS).filter((name) => /\.jpe?g$/.test(name)) : [];

/** The errors in the manifest store of the reference tool. */
interface Expected {
  readonly active_manifest: string;
  readonly validation_status?: readonly { readonly code: string }[];
}

let workers: ImageWorkers;
beforeAll(() => {
  const trust = { name: 'nobody', date: '2026-11-21', anchorsPem: '' };
  workers = openImageWorkers({ processes: 2, memoryMb: 1_000, timeoutMs: 60_000, trust });
});
afterAll(() => workers.close());

function expectedOf(image: string): Expected | null {
  const path = join(CORPUS, 'manifests', image.replace(/\.jpe?g$/, '.json'));
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

/** The class of an error, independent of the tool's version. */
function classOf(code: string): string {
  const classes: Readonly<Record<string, string>> = {
    'claim.missing': 'missing manifest',
    'ingredient.manifest.missing': 'missing manifest',
    'timeStamp.mismatch': 'signature',
    'claimSignature.mismatch': 'signature',
    // an expired certificate, which older versions of the tool also called a mismatch
    'signingCredential.expired': 'signature',
  };
  return classes[code] ?? code;
}

const classesOf = (statuses: readonly { readonly code: string }[]) =>
  [...new Set(statuses.map(({ code }) => classOf(code)))].toSorted();

describe.runIf(IMAGES.length > 0)('the public C2PA test images', () => {
  it.each(IMAGES)('%s is judged as the reference tool judges it', async (image) => {
    const { manifest, phash } = await workers.inspect(readFileSync(join(CORPUS, image)));
    const expected = expectedOf(image);
    const wrong = classesOf(expected?.validation_status ?? []);
    expect(phash).toMatch(/^[0-9a-f]{16}$/);
    expect(manifest.hasManifest).toBe(expected !== null);
    expect(manifest.valid).toBe(expected !== null && wrong.length === 0);
    expect(classesOf(manifest.failures)).toEqual(wrong);
    // no signer is trusted here, which alone makes no manifest invalid
    expect(manifest.trust.status).toBe(expected === null ? 'none' : 'untrusted');
  });

  it('report what the signer of an ingredient found wrong with it, and a time stamp that nobody checked', async () => {
    const { manifest } = await workers.inspect(readFileSync(join(CORPUS, 'adobe-20220124-CIE-sig-CA.jpg')));
    expect(manifest.ingredients).toMatchObject([
      { failures: [{ code: 'timeStamp.mismatch' }, { code: 'claimSignature.mismatch' }] },
    ]);
    expect(manifest.signer).toMatchObject({ time: '2023-01-24T14:48:59+00:00', timeTrusted: false });
  });

  it('include valid, tampered and unsigned ones', async () => {
    const judged = await Promise.all(
      IMAGES.map(async (image) => (await workers.inspect(readFileSync(join(CORPUS, image)))).manifest),
    );
    expect(judged.filter(({ valid }) => valid)).toHaveLength(6);
    expect(judged.filter(({ valid, hasManifest }) => hasManifest && !valid)).toHaveLength(8);
    expect(judged.filter(({ hasManifest }) => !hasManifest)).toHaveLength(2);
  });
});
