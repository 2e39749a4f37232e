import { paintedOver, picture } from './picture.ts';

/** The bytes of a picture, by its file name. */
export type Pictures = (file: string) => Buffer;

/** Pictures that come from the studio with a manifest of its own. */
export const FROM_STUDIO = ['cup-1.png', 'bowl-1.png'] as const;
/** A picture from the studio that somebody painted over afterwards. */
export const PAINTED_OVER = 'vase-1.png';

/** The pictures of the demo shop: most bare, two signed by a studio, and one tampered with. */
export async function makePictures(): Promise<Pictures> {
  const [{ openImageWorkers }, { developmentChain }] = await Promise.all([
    import('@touchstone/image/node'),
    import('@touchstone/server'),
  ]);
  const trust = { name: 'none', date: '', anchorsPem: '' };
  const workers = openImageWorkers({ processes: 1, memoryMb: 512, timeoutMs: 30_000, trust });
  const chain = await developmentChain(new Date());
  const signed = new Map<string, Buffer>();
  try {
    for (const file of [...FROM_STUDIO, PAINTED_OVER]) {
      const manifest = {
        title: file,
        claimGenerator: { name: 'Demo studio', version: '1' },
        actions: [{ action: 'c2pa.published' }],
        assertions: [],
      };
      signed.set(file, Buffer.from(await workers.sign(picture(file), manifest, chain)));
    }
  } finally {
    await workers.close();
  }
  signed.set(
    PAINTED_OVER,
    paintedOver(signed.get(PAINTED_OVER) ?? picture(PAINTED_OVER), picture('painted')),
  );
  return (file) => signed.get(file) ?? picture(file);
}
