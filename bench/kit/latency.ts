import { setTimeout as delay } from 'node:timers/promises';
import { createClient, request } from './load.ts';
import type { Server } from './server.ts';

const AT_ONCE = 4;
/** A rate well below the capacity of a busy service. */
export const GETS_PER_SECOND = 400;

/** The 99th percentile of GETs in milliseconds, over a span at a constant rate, which slow responses do not reduce. */
export async function slowest({ port }: Server, path: string, span: number): Promise<number> {
  const clients = Array.from({ length: AT_ONCE }, () => createClient(port, 1));
  const took: number[] = [];
  const begun = performance.now();
  const ask = async (client: (typeof clients)[number], first: number) => {
    for (let nth = first; nth < span * GETS_PER_SECOND; nth += AT_ONCE) {
      const due = begun + (nth / GETS_PER_SECOND) * 1_000;
      const early = due - performance.now();
      if (early > 0) await delay(early);
      let isSent = false;
      await client.load(() => {
        if (isSent) return undefined;
        isSent = true;
        return request('GET', path, { holds: '"proof"' });
      });
      took.push(performance.now() - Math.max(due, begun));
    }
  };
  await Promise.all(clients.map(ask));
  for (const client of clients) client.close();
  return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;
}
