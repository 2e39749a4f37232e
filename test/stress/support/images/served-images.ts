import { openImageWorkers } from '@touchstone/image/node';
import sharp from 'sharp';
import { developmentChain } from '../../../../packages/server/src/core/images/development-chain.ts';
import { pictures, withRemoteManifest } from '../../../images/pictures.ts';
import { seeded } from '../../../kit/random.ts';
import { hostileFiles } from './hostile-files.ts';
import { mutated } from './mutate.ts';
import { signerThatNames } from './signer-that-names.ts';

/** One image that a shop serves. */
export interface ServedImage {
  /** Part of its address; unique, identifies it in a failed run. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Expected result: certified; the code of its failure; `null`: scanned with any result. */
  readonly expected: 'certified' | `image_${string}` | null;
}

export interface ServedImagesOptions {
  readonly seed: number;
  readonly sound: number;
  readonly mutated: number;
  /** Base addresses in manifests, which must not be contacted. */
  readonly forbidden: readonly string[];
}

const FAILURES: Readonly<Record<string, `image_${string}`>> = {
  not_an_image: 'image_format_unknown',
  cut_off: 'image_cut_off',
  too_large: 'image_too_large',
  too_many_pixels: 'image_too_many_pixels',
};

const MANIFEST = { title: 'x', claimGenerator: { name: 'x', version: '1' }, actions: [], assertions: [] };

/** All images of the barrage's shop: valid ones among hostile ones, since one product has both. */
export async function makeServedImages(options: ServedImagesOptions): Promise<readonly ServedImage[]> {
  const trust = { name: 'nobody', date: '', anchorsPem: '' };
  const engine = openImageWorkers({ processes: 2, memoryMb: 1_024, timeoutMs: 60_000, trust });
  try {
    const named = await pictures();
    const plain = Object.values(named);
    const signer = await developmentChain(new Date());
    const signed = await Promise.all(plain.map((bytes) => engine.sign(bytes, MANIFEST, signer)));
    const originals = [...plain, ...signed.map((bytes) => Buffer.from(bytes))];
    const original = (index: number) => originals[index % originals.length] ?? Buffer.alloc(0);
    const random = seeded(options.seed).integer;
    const naming = options.forbidden.map(async (base, index): Promise<ServedImage[]> => {
      const bytes = await engine.sign(named['image/png'], MANIFEST, await signerThatNames(base));
      return [
        {
          name: `forbidden-remote-${index}`,
          bytes: withRemoteManifest(named['image/jpeg'], `${base}manifest.c2pa`),
          expected: null,
        },
        { name: `forbidden-signer-${index}`, bytes, expected: 'certified' },
      ];
    });
    const images: ServedImage[] = [
      ...(await Promise.all(naming)).flat(),
      ...hostileFiles().map(([name, bytes, code], index) => ({
        name: `hostile-${index}-${name.replaceAll(/[^a-z0-9]+/gi, '-')}`,
        bytes,
        expected: code === null ? null : (FAILURES[code] ?? null),
      })),
      { name: 'bomb', bytes: await memoryBomb(), expected: 'image_inspection_died' },
      ...Array.from({ length: options.mutated }, (_, index) => ({
        name: `mutated-${index}`,
        bytes: mutated(original(index), random),
        expected: null,
      })),
      ...Array.from({ length: options.sound }, (_, index) => ({
        name: `sound-${index}`,
        bytes: original(index),
        expected: 'certified' as const,
      })),
    ];
    return shuffled(images, random);
  } finally {
    await engine.close();
  }
}

/** A few kilobytes that take two gigabytes to decode. */
function memoryBomb(): Promise<Buffer> {
  const create = { width: 10_000, height: 10_000, channels: 3, background: '#888' } as const;
  return sharp({ create }).avif({ effort: 0 }).toBuffer();
}

function shuffled<T>(items: readonly T[], random: (below: number) => number): readonly T[] {
  return items
    .map((item) => ({ item, at: random(1_000_000_000) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
