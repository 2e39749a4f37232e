/** Kills the process if it exceeds its memory or its time for an image, or if the process that started it has ended. */
import { parentPort, workerData } from 'node:worker_threads';

const { memoryBytes, cpuMs, parent } = workerData as { memoryBytes: number; cpuMs: number; parent: number };

/** Share of the memory at which the process is killed; the rest is for growth between two checks. */
const SHARE = 0.9;
const CHECK_INTERVAL_MS = 5;

/** CPU time at which the present image began. */
let begun: NodeJS.CpuUsage | undefined;
parentPort?.on('message', (isBusy: boolean) => {
  begun = isBusy ? process.cpuUsage() : undefined;
});

// in a separate thread, since the main thread is usually busy while memory grows
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes * SHARE || process.ppid !== parent)
    process.kill(process.pid, 'SIGKILL');
  if (begun === undefined) return;
  const { user, system } = process.cpuUsage(begun);
  if (user + system > cpuMs * 1_000) process.kill(process.pid, 'SIGVTALRM');
}, CHECK_INTERVAL_MS);
