import { pathOf, receiveShopifyWebhook } from '@touchstone/contract';
import type { AdminClient } from './admin-client.ts';
import type { ConnectionRow } from './connection-store.ts';
import type { ShopifyContext } from './context.ts';
import { messagesOf, ShopifyProblem } from './problem.ts';
import {
  DEFINE_METAFIELD,
  DEFINITION,
  type DefineMetafieldAnswer,
  SUBSCRIBE,
  SUBSCRIPTIONS,
  type SubscribeAnswer,
  type SubscriptionsAnswer,
  TOPICS,
  UNSUBSCRIBE,
} from './queries.ts';

/**
 * Ensures that the shop defines the metafield and sends webhooks about changes. Repeated before every reading of all products,
 * since Shopify deletes a subscription whose deliveries keep failing.
 */
export async function ensureSubscriptions(
  { baseUrl }: ShopifyContext,
  client: AdminClient,
  connection: ConnectionRow,
  signal: AbortSignal,
): Promise<void> {
  const defined = await client.query<DefineMetafieldAnswer>(DEFINE_METAFIELD, DEFINITION, signal);
  const wrong = defined.metafieldDefinitionCreate.userErrors.filter(({ code }) => code !== 'TAKEN');
  if (wrong.length > 0) throw refused(wrong);
  // Shopify delivers over https only, and no signature can be verified without the secret
  if (connection.client_secret === null || !baseUrl.startsWith('https:')) return;
  const uri = baseUrl + pathOf(receiveShopifyWebhook, { store_id: connection.store_id });
  const { webhookSubscriptions } = await client.query<SubscriptionsAnswer>(SUBSCRIPTIONS, {}, signal);
  const wanted = new Set<string>(TOPICS);
  for (const { id, topic, uri: present } of webhookSubscriptions.nodes) {
    if (present === uri && wanted.delete(topic)) continue;
    // left over from an earlier address of this service, or from another store that was connected to the shop
    if (present.includes('/api/v1/shopify/')) await client.query(UNSUBSCRIBE, { id }, signal);
  }
  for (const topic of wanted) {
    const answer = await client.query<SubscribeAnswer>(SUBSCRIBE, { topic, uri }, signal);
    const { userErrors } = answer.webhookSubscriptionCreate;
    if (userErrors.length > 0) throw refused(userErrors);
  }
}

function refused(userErrors: readonly { readonly message: string }[]): ShopifyProblem {
  return new ShopifyProblem('shopify_request_refused', messagesOf(userErrors));
}
