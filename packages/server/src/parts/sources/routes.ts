import * as contract from '@touchstone/contract';
import type { Registry } from '../../core/registry/context.ts';
import { scopeOf } from '../../platform/http/access.ts';
import { accepted, implement, NO_CONTENT, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import { importEvents } from './follow-import.ts';
import { createImport, getImport, listImports } from './import-store.ts';
import { deleteSource, getSource, putSource } from './store-sources.ts';

export interface SourceUseCases {
  /** Starts an ordered import at once instead of with the next periodic claim. */
  readonly wake: () => void;
  /** Orders the imports of sources that are due by their schedule. */
  readonly orderDue: () => Promise<number>;
  readonly isDraining: () => boolean;
}

/** Catalogues that the service reads itself. */
export function sourceRoutes(registry: Registry, use: SourceUseCases): Route[] {
  return [
    implement(contract.createImport, async ({ params, body }, call) => {
      const view = await createImport(registry, scopeOf(call.identity), params.store_id, body);
      use.wake();
      return accepted(view, contract.pathOf(contract.getImport, { import_id: view.id }));
    }),
    implement(contract.listImports, async ({ params, query }, call) =>
      ok(await listImports(registry, scopeOf(call.identity), params.store_id, query)),
    ),
    implement(contract.getImport, async ({ params }, call) =>
      ok(await getImport(registry, scopeOf(call.identity), params.import_id)),
    ),
    implement(contract.followImport, async ({ params }, call) => {
      const read = () => getImport(registry, scopeOf(call.identity), params.import_id);
      const { signal } = call;
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
        body: importEvents(await read(), read, { signal, isDraining: use.isDraining }),
      };
    }),
    implement(contract.putStoreSource, async ({ params, body }, call) => {
      const source = await putSource(registry, scopeOf(call.identity), params.store_id, body);
      await use.orderDue();
      use.wake();
      return ok(source);
    }),
    implement(contract.getStoreSource, async ({ params }, call) =>
      ok(await getSource(registry, scopeOf(call.identity), params.store_id)),
    ),
    implement(contract.deleteStoreSource, async ({ params }, call) => {
      await deleteSource(registry, scopeOf(call.identity), params.store_id);
      return NO_CONTENT;
    }),
  ];
}
