/** Ends the process when it takes more memory than it may, or when nobody is left to hear its answers. */
import { workerData } from 'node:worker_threads';

const { memoryBytes, parent } = workerData as { memoryBytes: number; parent: number };

// a thread of its own: what takes too much usually keeps the main thread from looking
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes || process.ppid !== parent)
    process.kill(process.pid, 'SIGKILL');
}, 20);
