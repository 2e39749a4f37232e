import { createClient, type Request, repeated } from './load.ts';
import type { Measure } from './rounds.ts';
import type { BenchContext } from './run.ts';
import type { Server } from './server.ts';

export interface CostOptions {
  /** Calls per measurement. */
  readonly calls: number;
  readonly atOnce?: number;
}

/** Processor time of the server per response, in microseconds: other load of the machine is not included. */
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
