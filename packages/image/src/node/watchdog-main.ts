/** Kills the process if it exceeds its memory, or if the process that started it has ended. */
import { workerData } from 'node:worker_threads';

const { memoryBytes, parent } = workerData as { memoryBytes: number; parent: number };

/** Share of the memory at which the process is killed; the rest is for growth between two checks. */
const SHARE = 0.9;
const CHECK_INTERVAL_MS = 5;

// in a separate thread, since the main thread is usually busy while memory grows
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes * SHARE || process.ppid !== parent)
    process.kill(process.pid, 'SIGKILL');
}, CHECK_INTERVAL_MS);
