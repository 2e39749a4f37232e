import * as contract from '@touchstone/contract';
import type { Registry } from '../../core/registry/context.ts';
import { scopeOf } from '../../platform/http/access.ts';
import { implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import { listActivity } from './activity.ts';
import { failingHosts } from './failing-hosts.ts';
import { operatorOverview, type Rotation } from './operator-overview.ts';
import { storeHistory } from './store-history.ts';
import { storeSetup } from './store-setup.ts';

/** The operations of the console besides those of the registry. */
export function consoleRoutes(registry: Registry, rotation: Rotation): Route[] {
  return [
    implement(contract.getStoreSetup, async ({ params }, call) =>
      ok(await storeSetup(registry, scopeOf(call.identity), params.store_id)),
    ),
    implement(contract.getStoreHistory, async ({ params, query }, call) =>
      ok(await storeHistory(registry, scopeOf(call.identity), params.store_id, query.days)),
    ),
    implement(contract.listActivity, async ({ params, query }, call) =>
      ok(await listActivity(registry, scopeOf(call.identity), params.merchant_id, query)),
    ),
    implement(contract.getOperatorOverview, async () =>
      ok(await operatorOverview({ ...rotation, db: registry.db, clock: registry.clock })),
    ),
    implement(contract.listFailingHosts, async () => ok(await failingHosts(registry.db))),
  ];
}
