import { randomUUID } from 'node:crypto';
import type { Merchant } from '@touchstone/contract';
import { type Command, Option } from 'commander';
import { usage } from '../cli-error.ts';
import { safe, table } from '../output/text.ts';
import { addRegistryCommand, compact } from '../registry/registry-command.ts';
import { everyItem } from '../registry-client.ts';
import type { Session } from '../session.ts';
import { wholeNumber } from '../settings.ts';

interface MerchantOptions {
  readonly name?: string;
  readonly capacity?: string;
  readonly productLimit?: string;
  readonly pause?: boolean;
  readonly resume?: boolean;
}

export function addMerchants(program: Command, session: Session): void {
  const merchants = program
    .command('merchants')
    .description('Merchants: owners of stores, with a plan. Their API keys: touchstone keys.');
  addRegistryCommand(merchants, session, {
    words: 'list',
    description: 'List the merchants that the key may see.',
    example: 'merchants list',
    run: async ({ client }) => {
      const all = await everyItem(
        (cursor) => client.call('listMerchants', { query: { cursor } }),
        (page) => page.merchants,
      );
      const words = () =>
        all.length === 0
          ? 'There is no merchant. Create one: touchstone merchants create --name <name> --capacity <n>\n'
          : table(all.map((merchant) => [merchant.id, merchant.name, seats(merchant)]));
      return { value: { merchants: all }, words };
    },
  });
  addRegistryCommand(merchants, session, {
    words: 'show <merchant-id>',
    description: 'Show a merchant: its plan, and changes in progress.',
    example: 'merchants show 6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b02',
    run: async ({ client, args: [id = ''] }) =>
      merchantOutput(await client.call('getMerchant', { params: { merchant_id: id } })),
  });
  addRegistryCommand<MerchantOptions>(merchants, session, {
    words: 'create',
    description: 'Add a merchant (operator).',
    example: "merchants create --name 'Potter' --capacity 1000",
    options: (command) =>
      command
        .requiredOption('--name <name>', 'name of the merchant')
        .requiredOption('--capacity <n>', 'maximum number of active products'),
    run: async ({ client, options: { name = '', capacity = '' } }) => {
      const body = { name, planCapacity: whole(capacity) };
      const merchant = await client.call('createMerchant', { body }, { idempotencyKey: randomUUID() });
      return merchantOutput(merchant, `Next: touchstone keys create --merchant-id ${merchant.id}\n`);
    },
  });
  addRegistryCommand<MerchantOptions>(merchants, session, {
    words: 'update <merchant-id>',
    description:
      'Change the name, capacity, product limit or pause of a merchant (all but the name: operator).',
    example: 'merchants update 6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b02 --capacity 5000',
    options: (command) =>
      command
        .option('--name <name>', 'new name')
        .option('--capacity <n>', 'maximum number of active products')
        .option('--product-limit <n>', 'maximum number of products, or "default"')
        .addOption(new Option('--pause', 'make all its products inactive').conflicts('resume'))
        .option('--resume', 'end the pause'),
    run: async ({
      client,
      args: [id = ''],
      options: { name, capacity, productLimit: limit, pause, resume },
    }) => {
      const planCapacity = capacity === undefined ? undefined : whole(capacity);
      const paused = pause ?? (resume === true ? false : undefined);
      const productLimit = limit === undefined ? undefined : limitOf(limit);
      const body = compact({ name, planCapacity, productLimit, paused });
      if (Object.keys(body).length === 0)
        throw usage('No change was given.', 'Give --name, --capacity, --product-limit, --pause or --resume.');
      return merchantOutput(await client.call('updateMerchant', { params: { merchant_id: id }, body }));
    },
  });
}

function whole(text: string): number {
  return wholeNumber(text, '--capacity', 0, 10_000_000);
}

function limitOf(text: string): number | null {
  return text === 'default' ? null : wholeNumber(text, '--product-limit', 0, 2_000_000_000);
}

function seats({ slotsHeld, planCapacity, paused }: Merchant): string {
  return `${slotsHeld} of ${planCapacity} seats held${paused ? ', paused' : ''}`;
}

function merchantOutput(merchant: Merchant, next = '') {
  const { id, name, products, productLimit, createdAt, pendingChanges = [] } = merchant;
  const words = () =>
    `${safe(name)}\n${table([
      ['id', id],
      ['plan', seats(merchant)],
      ['products', `${products} of at most ${productLimit}`],
      ['since', createdAt],
      ...(pendingChanges.length === 0
        ? []
        : [['in progress', `${pendingChanges.length} changes: touchstone changes --watch`]]),
    ])}${next}`;
  return { value: merchant, words };
}
