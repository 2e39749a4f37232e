/** A thread that asks an address again and again, and posts the longest wait in milliseconds when it is told to stop. */
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

let isWatching = true;
parentPort?.once('message', () => {
  isWatching = false;
});
let longest = 0;
while (isWatching) {
  const begun = performance.now();
  const { ok } = await fetch(workerData as string);
  if (!ok) throw new Error('the service is not healthy');
  longest = Math.max(longest, performance.now() - begun);
  await delay(20);
}
parentPort?.postMessage(longest);
