import { createClient, type Request, repeated } from './load.ts';
import type { Measure } from './rounds.ts';
import type { BenchContext } from './run.ts';
import type { Server } from './server.ts';

export interface CostOptions {
  /** Of one measurement. */
  readonly calls: number;
  readonly atOnce?: number;
}

/** Processor time of the server for one answer, in microseconds: what else the machine does is not in it. */
export function costOf(
  { onEnd }: Pick<BenchContext, 'onEnd'>,
  server: Server,
  requests: readonly Request[],
  { calls, atOnce = 8 }: CostOptions,
): Measure {
  const client = createClient(server.port, atOnce);
  onEnd(async () => client.close());
  return async () => {
    const before = await server.cpu();
    await client.load(repeated(requests, calls));
    return ((await server.cpu()) - before) / calls;
  };
}
