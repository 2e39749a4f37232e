import * as contract from '@touchstone/contract';
import { scopeOf } from '../../platform/http/access.ts';
import { accepted, implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import { beginSweep, getSweep, listSweepPages, type SweepContext } from './read-sweep.ts';

export function sweepRoutes(context: SweepContext): Route[] {
  return [
    implement(contract.getSweep, async ({ params }, call) =>
      ok(await getSweep(context, scopeOf(call.identity), params.store_id)),
    ),
    implement(contract.beginSweep, async ({ params }, call) => {
      const sweep = await beginSweep(context, scopeOf(call.identity), params.store_id);
      return accepted(sweep, contract.pathOf(contract.getSweep, params));
    }),
    implement(contract.listSweepPages, async ({ params, query }, call) =>
      ok(await listSweepPages(context, scopeOf(call.identity), params.store_id, query)),
    ),
  ];
}
