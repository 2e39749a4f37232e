import type { ShopifyConnection } from '@touchstone/contract';
import type { Command } from 'commander';
import { EXIT, usage } from '../cli-error.ts';
import { createServiceClient, type ServiceClient } from '../client.ts';
import { createProgress } from '../output/progress.ts';
import { safe } from '../output/text.ts';
import type { Session } from '../session.ts';
import { apiKey, type GlobalOptions, serviceUrl } from '../settings.ts';

interface ConnectOptions extends GlobalOptions {
  readonly shop?: string;
  readonly key?: string;
  readonly watch?: boolean;
  readonly disconnect?: boolean;
}

/** Milliseconds between two questions of `--watch`. */
const PACE = 1_000;

export function addConnect(program: Command, session: Session): void {
  const connect = program
    .command('connect')
    .description('Connect a store to the platform of its shop, which then carries its certificates.');
  connect
    .command('shopify')
    .description(
      'Connect a store to a Shopify shop, or tell how far it is. The app’s Admin API access token is read from TOUCHSTONE_SHOPIFY_TOKEN, its client secret, for webhooks, from TOUCHSTONE_SHOPIFY_SECRET.',
    )
    .argument('<store-id>', 'the store in the registry')
    .option('--shop <name>', 'the shop’s permanent name: example.myshopify.com')
    .option('--watch', 'stay until every product is read and every certificate written')
    .option('--disconnect', 'forget the shop’s token; certificates that stand in it end within 7 days')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .addHelpText(
      'after',
      '\nExample:\n  TOUCHSTONE_SHOPIFY_TOKEN=shpat_… touchstone connect shopify <store-id> --shop example.myshopify.com --watch',
    )
    .action((storeId: string, _: unknown, command: Command) =>
      connectShopify(session, storeId, command.optsWithGlobals<ConnectOptions>()),
    );
}

async function connectShopify(session: Session, storeId: string, options: ConnectOptions): Promise<void> {
  const { io } = session;
  const client = createServiceClient({
    baseUrl: serviceUrl(options, io.env),
    key: apiKey(options, io.env),
    io,
    attempts: 4,
  });
  const params = { store_id: storeId };
  if (options.disconnect) {
    await client.call('disconnectShopify', { params });
    session.print(options, { connected: false }, () => 'The store is connected to no Shopify shop.\n');
    return;
  }
  if (options.shop !== undefined)
    await client.call('connectShopify', { params, body: tokens(options.shop, io.env) });
  const connection = options.watch
    ? await watch(client, session, storeId)
    : await client.call('getShopify', { params });
  session.print(options, connection, () => `${words(connection).join('\n')}\n`);
  session.exitCode =
    connection.state === 'current' && connection.failed === 0 ? EXIT.verified : EXIT.unverified;
}

/** From the environment: an argument would stand in the list of processes and in the shell's history. */
function tokens(shop: string, env: Session['io']['env']) {
  const accessToken = env.TOUCHSTONE_SHOPIFY_TOKEN;
  const clientSecret = env.TOUCHSTONE_SHOPIFY_SECRET;
  if (accessToken === undefined || accessToken === '')
    throw usage(
      'TOUCHSTONE_SHOPIFY_TOKEN is not set.',
      'Give it the Admin API access token of the app, which begins with shpat_.',
    );
  return {
    shop,
    accessToken,
    ...(clientSecret === undefined || clientSecret === '' ? {} : { clientSecret }),
  };
}

async function watch(client: ServiceClient, { io }: Session, storeId: string): Promise<ShopifyConnection> {
  const progress = createProgress(io);
  try {
    for (;;) {
      const connection = await client.call('getShopify', { params: { store_id: storeId } });
      const isOver = connection.state === 'current' || connection.state === 'failing';
      if (isOver || io.stop.aborted) return connection;
      const { published: done, products, failed, state } = connection;
      progress.update({ done, failed, ...(state === 'publishing' ? { total: products } : {}) });
      await io.sleep(PACE);
    }
  } finally {
    progress.end();
  }
}

function words(connection: ShopifyConnection): string[] {
  const { shop, state, products, published, failed, problem, problems, webhooks } = connection;
  const states = {
    reading: 'its products are being read',
    publishing: 'certificates are being written',
    current: 'everything is written',
    failing: 'it cannot go on',
  };
  return [
    safe(`${shop}: ${states[state]}. ${published} of ${products} products carry their certificate.`),
    ...(problem === undefined ? [] : [safe(`${problem.nextStep} ${problem.detail}`.trim())]),
    ...(webhooks ? [] : ['Changes are seen once a day: give TOUCHSTONE_SHOPIFY_SECRET to see them at once.']),
    ...(failed === 0 ? [] : [`${failed} ${failed === 1 ? 'product' : 'products'} failed:`]),
    ...problems.map(({ externalProductId, nextStep, detail }) =>
      safe(`  ${externalProductId}: ${nextStep} ${detail}`.trimEnd()),
    ),
    ...(state === 'current' && failed === 0
      ? [
          'Switch on the app embed “Product certificate” in the theme editor, then check a page: touchstone check <url>.',
        ]
      : []),
  ];
}
