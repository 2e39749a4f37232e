import * as contract from '@touchstone/contract';
import { scopeOf } from '../../platform/http/access.ts';
import { accepted, implement, NO_CONTENT, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import { connectShopify, disconnectShopify, readShopify } from './connect.ts';
import type { ShopifyContext } from './context.ts';
import { getShopify } from './get-connection.ts';
import { receiveWebhook } from './receive-webhook.ts';

export function shopifyRoutes(context: ShopifyContext): Route[] {
  return [
    implement(contract.connectShopify, async ({ params, body }, call) =>
      ok(await connectShopify(context, scopeOf(call.identity), params.store_id, body)),
    ),
    implement(contract.getShopify, async ({ params }, call) =>
      ok(await getShopify(context, scopeOf(call.identity), params.store_id)),
    ),
    implement(contract.readShopify, async ({ params }, call) => {
      const connection = await readShopify(context, scopeOf(call.identity), params.store_id);
      return accepted(connection, contract.pathOf(contract.getShopify, params));
    }),
    implement(contract.disconnectShopify, async ({ params }, call) => {
      await disconnectShopify(context, scopeOf(call.identity), params.store_id);
      return NO_CONTENT;
    }),
    implement(contract.receiveShopifyWebhook, async ({ params }, { rawBody, headers }) => {
      if (rawBody !== undefined)
        await receiveWebhook(context, { storeId: params.store_id, body: rawBody, headers });
      return NO_CONTENT;
    }),
  ];
}
