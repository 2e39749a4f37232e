/** Ends the process when it takes more memory than it may, or when the process that started it has ended. */
import { workerData } from 'node:worker_threads';

const { memoryBytes, parent } = workerData as { memoryBytes: number; parent: number };

/** Of what it may take; the rest is what it takes between two checks, more of it where the machine is busy. */
const SHARE = 0.9;
const CHECK_INTERVAL_MS = 5;

// a thread of its own: what takes too much usually keeps the main thread busy
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes * SHARE || process.ppid !== parent)
    process.kill(process.pid, 'SIGKILL');
}, CHECK_INTERVAL_MS);
