/** Ends the process when it takes more memory than it may, or when nobody is left to hear its answers. */
import { workerData } from 'node:worker_threads';

const { memoryBytes, parent } = workerData as { memoryBytes: number; parent: number };

/** Of what it may take; the rest is what it takes between two looks, more of it where the machine is busy. */
const SHARE = 0.9;
/** Milliseconds. */
const BETWEEN_LOOKS = 5;

// a thread of its own: what takes too much usually keeps the main thread from looking
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes * SHARE || process.ppid !== parent)
    process.kill(process.pid, 'SIGKILL');
}, BETWEEN_LOOKS);
