import * as contract from '@touchstone/contract';
import type { Registry } from '../../core/registry/context.ts';
import { scopeOf } from '../../platform/http/access.ts';
import { implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import { listCopies } from './copies.ts';
import { type DecideContext, decideCopy } from './decide.ts';
import { getHostStatements, type OfHost, setHostStatements } from './statements.ts';

export function copyRoutes({
  registry,
  ...context
}: DecideContext & { readonly registry: Registry }): Route[] {
  const ofHost = (params: { readonly merchant_id: string; readonly hostname: string }): OfHost => ({
    merchantId: params.merchant_id,
    hostname: params.hostname,
  });
  return [
    implement(contract.listCopies, async ({ params, query }, { identity }) =>
      ok(await listCopies(context, scopeOf(identity), params.store_id, query)),
    ),
    implement(contract.decideCopy, async ({ params, body }, { identity }) => {
      const place = { storeId: params.store_id, host: params.host };
      return ok(await decideCopy(context, scopeOf(identity), place, body));
    }),
    implement(contract.getHostStatements, async ({ params }, { identity }) =>
      ok(await getHostStatements(registry, scopeOf(identity), ofHost(params))),
    ),
    implement(contract.setHostStatements, async ({ params, body }, { identity }) =>
      ok(await setHostStatements(registry, scopeOf(identity), ofHost(params), body.statements)),
    ),
  ];
}
