import { randomUUID } from 'node:crypto';
import type { Store } from '@touchstone/contract';
import { type Command, Option } from 'commander';
import { usage } from '../cli-error.ts';
import { safe, table } from '../output/text.ts';
import { domainProofText, domainState, isOpenDomain } from '../registry/domain-proofs.ts';
import { merchantMeant } from '../registry/merchant-meant.ts';
import { addRegistryCommand, compact } from '../registry/registry-command.ts';
import { everyItem } from '../registry-client.ts';
import type { Session } from '../session.ts';
import { baseAddress } from '../settings.ts';

interface StoreOptions {
  readonly merchantId?: string;
  readonly url?: string;
  readonly name?: string;
  readonly platform?: Store['platform'];
  readonly signImages?: boolean;
  readonly signRemoteManifests?: boolean;
  readonly signPrices?: boolean;
  readonly yes?: boolean;
}

const PLATFORMS = ['shopify', 'woocommerce', 'custom'] as const;

export function addStores(program: Command, session: Session): void {
  const stores = program.command('stores').description('Shops of merchants.');
  addRegistryCommand<StoreOptions>(stores, session, {
    words: 'list',
    description: 'List the stores that the key may see.',
    example: 'stores list',
    options: (command) => command.option('--merchant-id <uuid>', 'only stores of this merchant'),
    run: async ({ client, options: { merchantId } }) => {
      const all = await everyItem(
        (cursor) => client.call('listStores', { query: { ...compact({ merchantId }), cursor } }),
        (page) => page.stores,
      );
      const words = () =>
        all.length === 0
          ? 'There is no store. Create one: touchstone stores create --url <home page>\n'
          : table(all.map(({ id, url, name, platform }) => [id, url, name, platform]));
      return { value: { stores: all }, words };
    },
  });
  addRegistryCommand(stores, session, {
    words: 'show <store-id>',
    description: 'Show a store: address, domains, settings. Its state: touchstone status.',
    example: 'stores show 6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
    run: async ({ client, args: [id = ''] }) =>
      storeOutput(await client.call('getStore', { params: { store_id: id } })),
  });
  addRegistryCommand<StoreOptions>(stores, session, {
    words: 'create',
    description: 'Add a store, and show how to prove its domain.',
    example: 'stores create --url https://shop.example --platform shopify',
    options: (command) =>
      settings(
        command
          .requiredOption('--url <url>', 'its home page; the host becomes its first domain')
          .option('--merchant-id <uuid>', 'its merchant (default: the only one that the key may see)'),
      ),
    run: async ({ client, options }) => {
      const url = baseAddress(options.url ?? '', 'The store address (--url)');
      const merchantId = await merchantMeant(client, options.merchantId);
      const name = options.name ?? new URL(url).host;
      const body = { merchantId, ...settingsOf(options), url, name };
      return storeOutput(await client.call('createStore', { body }, { idempotencyKey: randomUUID() }));
    },
  });
  addRegistryCommand<StoreOptions>(stores, session, {
    words: 'update <store-id>',
    description: 'Change name, address, platform or signing of a store.',
    example: 'stores update 6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01 --sign-images',
    options: (command) => settings(command.option('--url <url>', 'new home page')),
    run: async ({ client, args: [id = ''], options }) => {
      const body = settingsOf(options);
      if (Object.keys(body).length === 0)
        throw usage(
          'No change was given.',
          'Give --name, --url, --platform, --sign-images or --sign-prices.',
        );
      return storeOutput(await client.call('updateStore', { params: { store_id: id }, body }));
    },
  });
  addRegistryCommand<StoreOptions>(stores, session, {
    words: 'delete <store-id>',
    description: 'Delete a store with all its products: their certificates return 404 at once.',
    example: 'stores delete 6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01 --yes',
    options: (command) => command.option('--yes', 'confirm the deletion'),
    run: async ({ client, args: [id = ''], options: { yes } }) => {
      const params = { store_id: id };
      if (yes !== true) {
        const [{ url }, { total }] = await Promise.all([
          client.call('getStore', { params }),
          client.call('countProducts', { params }),
        ]);
        throw usage(
          `This deletes the store ${url} with its ${total} products.`,
          'Confirm with --yes.',
          'confirmation_missing',
        );
      }
      const change = await client.call('deleteStore', { params });
      const words = () =>
        `The store is deleted.${change === undefined ? '' : ' Its products are still being updated: touchstone changes --watch'}\n`;
      return { value: { id, deleted: true, ...compact({ change }) }, words };
    },
  });
}

function settings(command: Command): Command {
  return command
    .option('--name <name>', 'name of the store in certificates')
    .addOption(new Option('--platform <platform>', 'platform of the shop').choices(PLATFORMS))
    .option('--sign-images', 'let the service sign images that have no C2PA manifest')
    .option('--no-sign-images', 'do not sign images')
    .option(
      '--sign-remote-manifests',
      'with --sign-images: also sign images that refer to a manifest stored elsewhere',
    )
    .option('--no-sign-remote-manifests', 'do not sign those')
    .option('--sign-prices', 'sign the price that was sent of each product, with its date')
    .option('--no-sign-prices', 'do not sign prices');
}

function settingsOf(options: StoreOptions) {
  const { name, url, platform, signImages, signRemoteManifests, signPrices } = options;
  return compact({ name, url, platform, signImages, signRemoteManifests, signPrices });
}

function storeOutput(store: Store) {
  const { id, name, url, platform, signImages, signPrices, merchantId, domains, pendingChanges = [] } = store;
  const words = () => {
    const rows = [
      ['id', id],
      ['address', url],
      ['platform', platform],
      ['merchant', merchantId],
      ['signs images', signImages ? 'yes' : 'no'],
      ['signs prices', signPrices ? 'yes' : 'no'],
      ...domains.map((domain) => ['domain', `${domain.hostname} (${domainState(domain)})`]),
      ...(pendingChanges.length === 0
        ? []
        : [['in progress', `${pendingChanges.length} changes: touchstone changes --watch`]]),
    ];
    const proofs = domains.filter(isOpenDomain).map((domain) => domainProofText(store, domain));
    return `${safe(name)}\n${table(rows)}${proofs.join('')}`;
  };
  return { value: store, words };
}
