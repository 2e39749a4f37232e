import * as contract from '@touchstone/contract';
import { scopeOf } from '../../platform/http/access.ts';
import { accepted, created, implement, NO_CONTENT, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys/api-keys.ts';
import { actOnProducts } from './changes/product-actions.ts';
import { getChange, listChanges } from './changes/read-changes.ts';
import { undoChange } from './changes/undo-change.ts';
import type { Registry } from './context.ts';
import { addDomain, listChecks, removeDomain } from './domains/domains.ts';
import { type LimitedProofs, limitedPorts } from './domains/limited-ports.ts';
import { verifyDomain } from './domains/verify-domain.ts';
import { createMerchant, getMerchant, listMerchants, patchMerchant } from './merchants/merchants.ts';
import { deleteProduct, patchProduct } from './products/change-product.ts';
import { countProducts } from './products/count-products.ts';
import { upsertNdjson } from './products/ndjson-body.ts';
import { addImages, removeImage } from './products/product-images.ts';
import { getProduct, listProducts } from './products/read-products.ts';
import { upsertProducts } from './products/upsert.ts';
import { type SealedIn, setRequestHeaders } from './stores/request-headers.ts';
import { createStore, deleteStore, getStore, listStores, patchStore } from './stores/stores.ts';
import { listWithdrawals } from './withdrawals/list-withdrawals.ts';
import { withdrawProduct } from './withdrawals/withdraw-product.ts';

/** The operations of the registry: each caller sees only the records in its scope. */
export function registryRoutes(registry: Registry, proofs: LimitedProofs, seal: SealedIn): Route[] {
  return [
    ...merchantRoutes(registry),
    ...storeRoutes(registry, seal),
    ...domainRoutes(registry, proofs),
    ...productRoutes(registry),
    ...changeRoutes(registry),
  ];
}

/** The address of a pending change. */
const whereIs = (change: string) => contract.pathOf(contract.getRegistryChange, { change_id: change });

function merchantRoutes(registry: Registry): Route[] {
  return [
    implement(contract.createMerchant, async ({ body }) => created(await createMerchant(registry, body))),
    implement(contract.listMerchants, async ({ query }, call) =>
      ok(await listMerchants(registry, scopeOf(call.identity), query)),
    ),
    implement(contract.getMerchant, async ({ params }, call) =>
      ok(await getMerchant(registry, scopeOf(call.identity), params.merchant_id)),
    ),
    implement(contract.updateMerchant, async ({ params, body }, call) => {
      const scope = scopeOf(call.identity);
      const { merchant, change } = await patchMerchant(registry, scope, params.merchant_id, body);
      return change === null ? ok(merchant) : accepted(merchant, whereIs(change));
    }),
    implement(contract.createApiKey, async ({ params, body }, call) =>
      created(await createApiKey(registry, scopeOf(call.identity), params.merchant_id, body?.label)),
    ),
    implement(contract.listApiKeys, async ({ params, query }, call) =>
      ok(await listApiKeys(registry, scopeOf(call.identity), params.merchant_id, query)),
    ),
    implement(contract.revokeApiKey, async ({ params }, call) => {
      await revokeApiKey(registry, scopeOf(call.identity), params.merchant_id, params.key_id);
      return NO_CONTENT;
    }),
  ];
}

function storeRoutes(registry: Registry, seal: SealedIn): Route[] {
  return [
    implement(contract.createStore, async ({ body }, call) =>
      created(await createStore(registry, scopeOf(call.identity), body)),
    ),
    implement(contract.listStores, async ({ query }, call) =>
      ok(await listStores(registry, scopeOf(call.identity), query)),
    ),
    implement(contract.getStore, async ({ params }, call) =>
      ok(await getStore(registry, scopeOf(call.identity), params.store_id)),
    ),
    implement(contract.updateStore, async ({ params, body }, call) => {
      const scope = scopeOf(call.identity);
      const { requestHeaders, ...patch } = body;
      if (requestHeaders !== undefined)
        await setRequestHeaders({ ...registry, seal }, scope, params.store_id, requestHeaders);
      const { store, change } = await patchStore(registry, scope, params.store_id, patch);
      return change === null ? ok(store) : accepted(store, whereIs(change));
    }),
    implement(contract.deleteStore, async ({ params }, call) => {
      const scope = scopeOf(call.identity);
      const change = await deleteStore(registry, scope, params.store_id);
      if (change === null) return NO_CONTENT;
      return accepted(await getChange(registry, scope, change), whereIs(change));
    }),
  ];
}

function domainRoutes(registry: Registry, proofs: LimitedProofs): Route[] {
  return [
    implement(contract.addDomain, async ({ params, body }, call) =>
      created(await addDomain(registry, scopeOf(call.identity), params.store_id, body)),
    ),
    implement(contract.removeDomain, async ({ params }, call) => {
      const scope = scopeOf(call.identity);
      const change = await removeDomain(registry, scope, params.store_id, params.hostname);
      if (change === null) return NO_CONTENT;
      return accepted(await getChange(registry, scope, change), whereIs(change));
    }),
    implement(contract.verifyDomain, async ({ params }, call) => {
      const ports = limitedPorts(registry, proofs, call.caller);
      const scope = scopeOf(call.identity);
      return ok(await verifyDomain(registry, ports, scope, params.store_id, params.hostname));
    }),
    implement(contract.listDomainChecks, async ({ params, query }, call) =>
      ok(await listChecks(registry, scopeOf(call.identity), params.store_id, params.hostname, query)),
    ),
  ];
}

function productRoutes(registry: Registry): Route[] {
  return [
    implement(contract.putProducts, async ({ params, body }, call) => {
      const scope = scopeOf(call.identity);
      if (call.rawBody !== undefined) {
        const lines = await upsertNdjson(registry, scope, params.store_id, call.rawBody);
        return { status: 200, headers: { 'content-type': 'application/x-ndjson' }, body: lines };
      }
      return ok({ results: await upsertProducts(registry, scope, params.store_id, body) });
    }),
    implement(contract.listProducts, async ({ params, query }, call) =>
      ok(await listProducts(registry, scopeOf(call.identity), params.store_id, query)),
    ),
    implement(contract.countProducts, async ({ params }, call) =>
      ok(await countProducts(registry, scopeOf(call.identity), params.store_id)),
    ),
    implement(contract.getProduct, async ({ params }, call) =>
      ok(await getProduct(registry, scopeOf(call.identity), params.product_id)),
    ),
    implement(contract.updateProduct, async ({ params, body }, call) =>
      ok(await patchProduct(registry, scopeOf(call.identity), params.product_id, body, call.identity?.keyId)),
    ),
    implement(contract.withdrawProduct, async ({ params, body }, call) =>
      ok(
        await withdrawProduct(
          registry,
          scopeOf(call.identity),
          params.product_id,
          body,
          call.identity?.keyId,
        ),
      ),
    ),
    implement(contract.listWithdrawals, async ({ query }, call) =>
      ok(await listWithdrawals(registry, scopeOf(call.identity), query)),
    ),
    implement(contract.deleteProduct, async ({ params }, call) => {
      await deleteProduct(registry, scopeOf(call.identity), params.product_id, call.identity?.keyId);
      return NO_CONTENT;
    }),
    implement(contract.addImages, async ({ params, body }, call) => {
      const scope = scopeOf(call.identity);
      return created({ images: await addImages(registry, scope, params.product_id, body.images) });
    }),
    implement(contract.removeImage, async ({ params }, call) => {
      await removeImage(registry, scopeOf(call.identity), params.image_id);
      return NO_CONTENT;
    }),
  ];
}

function changeRoutes(registry: Registry): Route[] {
  const told = (change: contract.RegistryChange) =>
    change.state === 'done' ? ok(change) : accepted(change, whereIs(change.id));
  return [
    implement(contract.actOnProducts, async ({ params, body }, call) =>
      told(
        await actOnProducts(registry, scopeOf(call.identity), params.store_id, body, call.identity?.keyId),
      ),
    ),
    implement(contract.undoChange, async ({ params }, call) =>
      told(await undoChange(registry, scopeOf(call.identity), params.change_id, call.identity?.keyId)),
    ),
    implement(contract.listRegistryChanges, async ({ query }, call) =>
      ok(await listChanges(registry, scopeOf(call.identity), query)),
    ),
    implement(contract.getRegistryChange, async ({ params }, call) =>
      ok(await getChange(registry, scopeOf(call.identity), params.change_id)),
    ),
  ];
}
