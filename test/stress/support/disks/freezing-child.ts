/** Freezes its own disk and prints the path: started by disk-guard.test.ts, which kills it. */
import { openSmallDisk } from './small-disk.ts';

const disk = await openSmallDisk(16);
await disk.freeze();
process.send?.(disk.path);
