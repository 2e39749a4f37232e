/** Opens an image that takes long; the test kills it meanwhile. */
import { openImageWorkers } from '@touchstone/image/node';
import sharp from 'sharp';

const create = { width: 8_000, height: 8_000, channels: 3, background: '#888' } as const;
const heavy = await sharp({ create }).avif({ effort: 0 }).toBuffer();
const trust = { name: '', date: '', anchorsPem: '' };
const workers = openImageWorkers({ processes: 1, memoryMb: 4_000, timeoutMs: 600_000, trust });
await workers.inspect(
  await sharp({ create: { ...create, width: 9, height: 9 } })
    .png()
    .toBuffer(),
);
void workers.inspect(heavy);
process.send?.('opening');
