/** Freezes a disk of its own, says where it is, and does nothing more: started by disk-guard.test.ts, to be killed. */
import { openSmallDisk } from './small-disk.ts';

const disk = await openSmallDisk(16);
await disk.freeze();
process.send?.(disk.path);
