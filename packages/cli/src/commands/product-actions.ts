import { randomUUID } from 'node:crypto';
import type { ProductActionName, ProductState, RegistryChange } from '@touchstone/contract';
import { type Command, Option } from 'commander';
import { EXIT, usage } from '../cli-error.ts';
import type { ServiceClient } from '../client.ts';
import { confirm } from '../confirm.ts';
import { nameOf, readInput } from '../files.ts';
import { safe } from '../output/text.ts';
import { addRegistryCommand, type CommandOutput, compact } from '../registry/registry-command.ts';
import type { Session } from '../session.ts';
import { productOutput } from './product-output.ts';

interface ActionOptions {
  readonly store?: string;
  readonly file?: string;
  readonly state?: Exclude<ProductState, 'deleted'>;
  readonly q?: string;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly reason?: string;
  readonly reissue?: boolean;
}

const STORE = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
const CHANGE = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const STATES = ['active', 'hidden', 'host_lost', 'paused', 'no_slot', 'disabled'] as const;
/** Maximum number of products per call. */
const AT_ONCE = 1_000;
/** Above this number of products, confirmation is required. */
const UNASKED = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const ACTIONS = [
  ['hide', 'hide', 'hidden', 'Hide products: they publish no certificate, and their seats go to others.'],
  ['unhide', 'show', 'shown', 'Show hidden products: they publish their certificates again.'],
  [
    'delete',
    'delete',
    'deleted',
    'Delete products: their certificates return 404. Importing them again restores them under the same ids.',
  ],
  [
    'withdraw',
    'withdraw',
    'withdrawn',
    'Withdraw the certificates of products for good, within minutes for every verifier that looks; cannot be undone. The products are hidden, and get new certificates when they are shown again. To suspend: hide.',
  ],
] as const;

/** Commands that act on one product, on a list of products, or on those that match a filter. */
export function addProductActions(products: Command, session: Session): void {
  for (const [name, action, done, description] of ACTIONS) {
    addRegistryCommand<ActionOptions>(products, session, {
      words: `${name} [product-ids...]`,
      description,
      example: `products ${name} --store ${STORE} --q 'summer 2025'`,
      options: (command) =>
        (name === 'withdraw' ? withdrawalReasons(command) : command)
          .option('--store <store-id>', 'the store of the products; required with --state, --q and --all')
          .option('--file <file>', 'products whose ids are in a file, one per line; - for standard input')
          .addOption(new Option('--state <state>', 'products in this state').choices(STATES))
          .option('--q <words>', 'products whose name contains these words, each by its beginning')
          .option('--all', 'all products of the store')
          .option(
            '--yes',
            name === 'withdraw'
              ? 'do not ask for confirmation'
              : `do not ask for confirmation above ${UNASKED} products`,
          ),
      run: async ({ client, args: ids, options }) => {
        const [only] = ids;
        const isOne =
          ids.length === 1 && only !== undefined && Object.keys(compact(chosen(options))).length === 0;
        if (isOne && options.store === undefined) return actOnOne(client, action, only, options);
        if (options.reissue === true)
          throw usage(
            '--reissue is for one product.',
            'Withdraw many, and show them again: products unhide.',
          );
        const reason = compact({ reason: options.reason });
        const orders = await ordersOf(client, session, ids, options);
        if (!(await isMeant(client, session, orders, { ...options, name, done })))
          return { value: { changes: [] }, words: () => `Nothing was ${done}.\n`, exit: EXIT.unverified };
        const changes: RegistryChange[] = [];
        for (const { storeId, ...which } of orders)
          changes.push(
            await client.call(
              'actOnProducts',
              { params: { store_id: storeId }, body: { action, ...which, ...reason } },
              { idempotencyKey: randomUUID() },
            ),
          );
        return changesOutput(changes, done, namedIn(orders));
      },
    });
  }
  addRegistryCommand(products, session, {
    words: 'undo <change-id>',
    description: 'Undo a hide, unhide or delete of many products; possible for 7 days.',
    example: `products undo ${CHANGE}`,
    run: async ({ client, args: [id = ''] }) =>
      changesOutput([await client.call('undoChange', { params: { change_id: id } })], 'restored'),
  });
}

const withdrawalReasons = (command: Command) =>
  command
    .option('--reason <text>', 'why; listed for the merchant, and shown to nobody else')
    .option('--reissue', 'of one product: do not hide it, and give it new certificates at once');

const chosen = ({ file, state, q, all }: ActionOptions) => ({ file, state, q, all });

async function actOnOne(
  client: ServiceClient,
  action: ProductActionName,
  id: string,
  { reason, reissue }: ActionOptions,
): Promise<CommandOutput> {
  const params = { product_id: id };
  if (action === 'withdraw') {
    const body = compact({ reason, reissue });
    const product = await client.call('withdrawProduct', { params, body }, { idempotencyKey: randomUUID() });
    const next =
      reissue === true
        ? 'It gets new certificates at once.'
        : `It is hidden, and gets new certificates when it is shown again: touchstone products unhide ${id}`;
    return {
      value: product,
      words: () =>
        `${safe(`All certificates of ${product.name} issued until ${product.withdrawnAt} are withdrawn for good.`)}\n${safe(next)}\n`,
    };
  }
  if (action !== 'delete')
    return productOutput(
      client,
      await client.call('updateProduct', { params, body: { visible: action === 'show' } }),
    );
  await client.call('deleteProduct', { params });
  return { value: { id, deleted: true }, words: () => `Product ${safe(id)} is deleted.\n` };
}

/** One call: a list of products, or a filter. */
interface Order {
  readonly storeId: string;
  readonly productIds?: string[];
  readonly filter?: { readonly state?: Exclude<ProductState, 'deleted'>; readonly q?: string };
}

async function ordersOf(
  client: ServiceClient,
  session: Session,
  named: readonly string[],
  options: ActionOptions,
): Promise<Order[]> {
  const { store, file, state, q, all } = options;
  const isFiltered = state !== undefined || q !== undefined;
  const ids = [...new Set([...named, ...(file === undefined ? [] : await idsIn(file, session))])];
  const ways = [ids.length > 0, isFiltered, all === true].filter(Boolean).length;
  if (ways !== 1)
    throw usage(
      ways === 0
        ? 'No products were given: give their ids, --file, --state, --q or --all.'
        : 'Give ids, or --state and --q, or --all: only one of these.',
    );
  if (ids.length === 0) {
    if (store === undefined) throw usage('No store was given: --store <store-id>.');
    return [{ storeId: store, filter: compact({ state, q }) }];
  }
  const storeId =
    store ?? (await client.call('getProduct', { params: { product_id: ids[0] ?? '' } })).storeId;
  const orders: Order[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE)
    orders.push({ storeId, productIds: ids.slice(from, from + AT_ONCE) });
  return orders;
}

async function idsIn(file: string, { io }: Session): Promise<string[]> {
  const lines = new TextDecoder().decode(await readInput(file, io)).split(/\r?\n/);
  return lines.flatMap((line, index) => {
    const id = line.trim();
    if (id === '' || id.startsWith('#')) return [];
    if (UUID.test(id)) return [id];
    throw usage(
      `${nameOf(file)}, line ${index + 1}: “${id.slice(0, 80)}” is not a product id.`,
      'touchstone products list shows the ids.',
    );
  });
}

async function isMeant(
  client: ServiceClient,
  session: Session,
  orders: readonly Order[],
  {
    yes,
    file,
    name,
    done,
  }: ActionOptions & { readonly name: (typeof ACTIONS)[number][0]; readonly done: string },
): Promise<boolean> {
  if (yes === true) return true;
  const count = namedIn(orders) ?? (await countOf(client, orders[0]));
  if (count === 0 || (count <= UNASKED && name !== 'withdraw')) return true;
  const many = count > AT_ONCE / 2 && namedIn(orders) === undefined ? `More than ${UNASKED}` : String(count);
  const what =
    name === 'withdraw'
      ? `The certificates of ${many} products of this store would be withdrawn for good, and the products hidden.`
      : `${many} products of this store would be ${done}.`;
  return confirm(session, what, {
    verb: { hide: 'Hide them', unhide: 'Show them', delete: 'Delete them', withdraw: 'Withdraw them' }[name],
    undone: `Nothing was ${done}.`,
    canAsk: file !== '-',
  });
}

function namedIn(orders: readonly Order[]): number | undefined {
  return orders.reduce<number | undefined>(
    (sum, { productIds }) => (productIds === undefined ? undefined : (sum ?? 0) + productIds.length),
    undefined,
  );
}

/** Number of products that match a filter, as far as the confirmation needs it. */
async function countOf(client: ServiceClient, order: Order | undefined): Promise<number> {
  if (order === undefined) return 0;
  const query = { ...order.filter, limit: AT_ONCE / 2 };
  const page = await client.call('listProducts', { params: { store_id: order.storeId }, query });
  return page.products.length + (page.nextCursor === undefined ? 0 : 1);
}

/** The result of the changes, and how to undo them. */
function changesOutput(changes: readonly RegistryChange[], done: string, named?: number): CommandOutput {
  const sum = (count: (change: RegistryChange) => number) =>
    changes.reduce((all, change) => all + count(change), 0);
  const isPending = changes.some(({ state }) => state === 'pending');
  const found = sum((change) => change.done);
  const words = () => {
    const lines = [
      `${sum(({ changed = 0 }) => changed)} ${found === 1 ? 'product was' : 'products were'} ${done}${isPending ? ' so far, the others are in progress: touchstone changes --watch' : ''}.`,
      ...(named === undefined || isPending || found === named
        ? []
        : [`${named - found} of the ids do not belong to products of the store.`]),
      ...changes.flatMap(({ id, undoableUntil, changed, state }) =>
        undoableUntil === undefined || (changed === 0 && state !== 'pending')
          ? []
          : [`To undo it, until ${undoableUntil}: touchstone products undo ${id}`],
      ),
    ];
    return `${lines.map(safe).join('\n')}\n`;
  };
  return { value: { changes }, words, exit: isPending ? EXIT.unverified : EXIT.verified };
}
