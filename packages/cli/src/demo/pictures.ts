import { paintedOver } from './pictures/png.ts';
import { drawPicture } from './pictures/still-life.ts';

/** Bytes of a picture, by file name. */
export type Pictures = (file: string) => Buffer;

/** Pictures signed by their photographer. */
export const SIGNED = ['cup-1.png', 'bowl-1.png'] as const;
/** A signed picture whose pixels were changed afterwards. */
export const PAINTED_OVER = 'vase-1.png';

/** The pictures of the demo shop: most without a manifest, two signed by their photographer, and one tampered with. */
export async function makePictures(): Promise<Pictures> {
  const [{ openImageWorkers }, { developmentChain }] = await Promise.all([
    import('@touchstone/image/node'),
    import('@touchstone/server'),
  ]);
  const trust = { name: 'none', date: '', anchorsPem: '' };
  const workers = openImageWorkers({ processes: 1, memoryMb: 512, timeoutMs: 30_000, trust });
  const chain = await developmentChain(new Date());
  const made = new Map<string, Buffer>();
  const picture = (file: string) => {
    const known = made.get(file) ?? drawPicture(file);
    made.set(file, known);
    return known;
  };
  try {
    for (const file of [...SIGNED, PAINTED_OVER]) {
      const manifest = {
        title: file,
        claimGenerator: { name: 'Demo photographer', version: '1' },
        actions: [{ action: 'c2pa.published' }],
        assertions: [],
      };
      made.set(file, Buffer.from(await workers.sign(picture(file), manifest, chain)));
    }
  } finally {
    await workers.close();
  }
  made.set(PAINTED_OVER, paintedOver(picture(PAINTED_OVER), picture('painted-1.png')));
  return picture;
}
