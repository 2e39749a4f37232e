import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of a picture, by file name. */
export type Pictures = (file: string) => Buffer;

/** Pictures signed by their photographer. */
export const SIGNED = ['cup-1.jpg', 'bowl-1.jpg'] as const;
/** A signed picture whose pixels were changed afterwards. */
export const ALTERED = 'vase-1.jpg';

/** The pictures of the demo shop: most without a manifest, two signed by their photographer, and one altered afterwards. */
export async function readPictures(): Promise<Pictures> {
  const [{ openImageWorkers }, { developmentChain }] = await Promise.all([
    import('@touchstone/image/node'),
    import('@touchstone/server'),
  ]);
  const trust = { name: 'none', date: '', anchorsPem: '' };
  const workers = openImageWorkers({ processes: 1, memoryMb: 512, timeoutMs: 30_000, trust });
  const chain = await developmentChain(new Date());
  const signed = new Map<string, Buffer>();
  try {
    for (const file of [...SIGNED, ALTERED]) {
      const manifest = {
        title: file,
        claimGenerator: { name: 'Demo photographer', version: '1' },
        actions: [{ action: 'c2pa.published' }],
        assertions: [],
      };
      signed.set(file, Buffer.from(await workers.sign(readPicture(file), manifest, chain)));
    }
  } finally {
    await workers.close();
  }
  const altered = signed.get(ALTERED);
  // a bit of its pixels, far behind the manifest
  altered?.writeUInt8(altered.readUInt8(altered.length - 1_000) ^ 1, altered.length - 1_000);
  return (file) => signed.get(file) ?? readPicture(file);
}

const readPicture = (file: string) => readFileSync(join(import.meta.dirname, 'pictures', file));
