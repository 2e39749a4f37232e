import type { ShopifyConnection, Store } from '@touchstone/contract';
import type { ServiceClient } from '../../client.ts';
import { type StatusPart, unlessNone } from '../../status/status-part.ts';

const STATES = { reading: 'working', publishing: 'working', current: 'well', failing: 'failed' } as const;
const WORDS = {
  publishing: 'certificates are being written',
  current: 'everything is written',
  failing: 'blocked by a problem',
} as const;

/** The state of a connection as text. */
export function stateInWords({ state, reading }: ShopifyConnection): string {
  if (state !== 'reading') return WORDS[state];
  if (reading === undefined) return 'its products are being read';
  const { step, products, of } = reading;
  const does = step === 'collecting' ? 'Shopify is collecting its products' : 'its products are being read';
  return `${does}, ${products}${of === undefined ? '' : ` of ${Math.max(of, products)}`} so far`;
}

/** The connection to a Shopify shop; empty for a store without one. */
export async function shopifyPart(client: ServiceClient, { id }: Store): Promise<StatusPart> {
  const connection = await unlessNone(client.call('getShopify', { params: { store_id: id } }));
  if (connection === undefined)
    return { name: 'shopify', value: null, says: [], state: 'well', nextSteps: [] };
  const { shop, state, published, products, failed, problem } = connection;
  return {
    name: 'shopify',
    value: connection,
    says: [
      `${shop}: ${stateInWords(connection)}; ${published} of ${products} products carry their certificate`,
      ...(problem === undefined ? [] : [`${problem.code} since ${problem.since}: ${problem.detail}`]),
      ...(failed === 0 ? [] : [`${failed} failed`]),
    ],
    state: failed > 0 ? 'failed' : STATES[state],
    nextSteps: [
      ...(problem === undefined ? [] : [problem.nextStep]),
      ...(failed === 0 ? [] : [`See which failed, and why: touchstone connect shopify ${id}`]),
    ],
  };
}
