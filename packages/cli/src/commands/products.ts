import type { ProductState, ProductView } from '@touchstone/contract';
import { type Command, Option } from 'commander';
import type { ServiceClient } from '../client.ts';
import { safe, table } from '../output/text.ts';
import { addRegistryCommand, compact } from '../registry/registry-command.ts';
import type { Session } from '../session.ts';
import { wholeNumber } from '../settings.ts';
import { addProductActions } from './product-actions.ts';
import { productOutput } from './product-output.ts';

interface ProductOptions {
  readonly state?: ProductState;
  readonly externalId?: string;
  readonly sku?: string;
  readonly gtin?: string;
  readonly q?: string;
  readonly updatedSince?: string;
  readonly cursor?: string;
  readonly limit?: string;
}

const PRODUCT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const STATES = ['active', 'hidden', 'host_lost', 'paused', 'no_slot', 'disabled', 'deleted'] as const;
/** Products per call. */
const PAGE = 500;

export function addProducts(program: Command, session: Session): void {
  const products = program
    .command('products')
    .description('Products of a store. Whole catalogues: touchstone import.');
  addRegistryCommand<ProductOptions>(products, session, {
    words: 'list <store-id>',
    description: 'List products of a store, optionally filtered.',
    example: "products list 6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01 --state active --q 'blue cup'",
    options: (command) =>
      command
        .addOption(new Option('--state <state>', 'only products in this state').choices(STATES))
        .option('--external-id <id>', 'the product with this identifier of the shop')
        .option('--sku <sku>', 'products with this SKU')
        .option('--gtin <gtin>', 'products with this GTIN')
        .option('--q <words>', 'products whose name contains these words, each by its beginning')
        .option(
          '--updated-since <time>',
          'products changed at or after this time, sorted by their last change',
        )
        .option('--limit <n>', 'maximum number', '100')
        .option('--cursor <cursor>', 'continue from this cursor'),
    run: async ({ client, args: [id = ''], options }) => {
      const { list, nextCursor } = await listed(client, id, options);
      const words = () =>
        list.length === 0
          ? `${isNarrowed(options) ? 'No product of the store matches.' : `The store has no products. Send the catalogue: touchstone import <file or address> --store ${safe(id)}`}\n`
          : table(list.map((one) => [one.id, one.state, one.externalProductId, one.name, one.url])) +
            (nextCursor === undefined ? '' : `There are more: --cursor ${safe(nextCursor)}\n`);
      return { value: { products: list, ...compact({ nextCursor }) }, words };
    },
  });
  addRegistryCommand(products, session, {
    words: 'show <product-id>',
    description: 'Show a product.',
    example: `products show ${PRODUCT}`,
    run: async ({ client, args: [id = ''] }) =>
      productOutput(client, await client.call('getProduct', { params: { product_id: id } })),
  });
  addProductActions(products, session);
}

/** Whether any option other than the list's length is given. */
function isNarrowed({ state, externalId, sku, gtin, q, updatedSince, cursor }: ProductOptions): boolean {
  return [state, externalId, sku, gtin, q, updatedSince, cursor].some((one) => one !== undefined);
}

/** Reads as many products as requested, over as many pages as needed. */
async function listed(client: ServiceClient, storeId: string, options: ProductOptions) {
  const { state, externalId: externalProductId, sku, gtin, q, updatedSince } = options;
  const wanted = wholeNumber(options.limit ?? '', '--limit', 1, 10_000_000);
  const list: ProductView[] = [];
  let cursor = options.cursor;
  do {
    const limit = Math.min(PAGE, wanted - list.length);
    const query = { ...compact({ state, externalProductId, sku, gtin, q, updatedSince, cursor }), limit };
    const page = await client.call('listProducts', { params: { store_id: storeId }, query });
    list.push(...page.products);
    cursor = page.nextCursor;
  } while (cursor !== undefined && list.length < wanted);
  return { list, nextCursor: cursor };
}
