import type { ShopifyConnection } from '@touchstone/contract';
import type { Command } from 'commander';
import { EXIT, usage } from '../../cli-error.ts';
import type { Progress } from '../../output/progress.ts';
import { safe } from '../../output/text.ts';
import { watch } from '../../output/watch.ts';
import { registryClient } from '../../registry-client.ts';
import type { Session } from '../../session.ts';
import type { GlobalOptions } from '../../settings.ts';
import { stateInWords } from './shopify-status.ts';

interface ConnectOptions extends GlobalOptions {
  readonly shop?: string;
  readonly clientId?: string;
  readonly key?: string;
  readonly watch?: boolean;
  readonly disconnect?: boolean;
}

export function addConnect(program: Command, session: Session): void {
  const connect = program
    .command('connect')
    .description('Connect a store to the platform of its shop, which then carries its certificates.');
  connect
    .command('shopify')
    .description(
      'Connect a store to a Shopify shop, or show the progress. The app’s client secret is read from TOUCHSTONE_SHOPIFY_SECRET; for an app created in the shop’s admin before 2026, its Admin API access token from TOUCHSTONE_SHOPIFY_TOKEN.',
    )
    .argument('<store-id>', 'the store in the registry')
    .option('--shop <name>', 'the shop’s permanent name: example.myshopify.com')
    .option('--client-id <id>', 'the app’s client ID, of the Dev Dashboard (TOUCHSTONE_SHOPIFY_CLIENT_ID)')
    .option('--watch', 'wait until every product is read and every certificate written')
    .option('--disconnect', 'delete the shop’s token; certificates in the shop expire within 7 days')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .addHelpText(
      'after',
      '\nExample:\n  TOUCHSTONE_SHOPIFY_SECRET=shpss_… touchstone connect shopify <store-id> --shop example.myshopify.com --client-id <id> --watch',
    )
    .action((storeId: string, _: unknown, command: Command) =>
      connectShopify(session, storeId, command.optsWithGlobals<ConnectOptions>()),
    );
}

async function connectShopify(session: Session, storeId: string, options: ConnectOptions): Promise<void> {
  const { io } = session;
  const client = registryClient(session, options);
  const params = { store_id: storeId };
  if (options.disconnect) {
    await client.call('disconnectShopify', { params });
    session.print(options, { connected: false }, () => 'The store is not connected to a Shopify shop.\n');
    return;
  }
  if (options.shop !== undefined)
    await client.call('connectShopify', { params, body: credentials(options.shop, options, io.env) });
  const ask = () => client.call('getShopify', { params });
  const connection = options.watch ? await watch(io, 'products', ask, showProgress) : await ask();
  session.print(options, connection, () => `${words(connection).join('\n')}\n`);
  session.exitCode =
    connection.state === 'current' && connection.failed === 0 ? EXIT.verified : EXIT.unverified;
}

/** Secrets come from the environment: arguments are visible in the process list and in the shell's history. */
function credentials(shop: string, options: ConnectOptions, env: Session['io']['env']) {
  const clientId = options.clientId || env.TOUCHSTONE_SHOPIFY_CLIENT_ID;
  const accessToken = env.TOUCHSTONE_SHOPIFY_TOKEN;
  const clientSecret = env.TOUCHSTONE_SHOPIFY_SECRET;
  const secret = clientSecret ? { clientSecret } : {};
  if (clientId) {
    if (!clientSecret)
      throw usage(
        'TOUCHSTONE_SHOPIFY_SECRET is not set.',
        'Set it to the client secret of the app, which is shown next to the client ID in the Dev Dashboard.',
      );
    return { shop, clientId, ...secret };
  }
  if (!accessToken)
    throw usage(
      'Neither --client-id nor TOUCHSTONE_SHOPIFY_TOKEN is given.',
      'Give the client ID of the app (Dev Dashboard, Settings); for an app created in the shop’s admin before 2026, its Admin API access token.',
    );
  return { shop, accessToken, ...secret };
}

/** Shows the progress of a connection. @returns whether all is written, or it cannot continue */
function showProgress(connection: ShopifyConnection, progress: Progress): boolean {
  if (connection.state === 'current' || connection.state === 'failing') return true;
  progress.update(progressOf(connection));
  return false;
}

/** Progress of reading products, then of writing certificates. */
function progressOf({ state, reading, products, published, failed }: ShopifyConnection) {
  if (state === 'publishing') return { done: published, failed, total: products };
  if (reading === undefined) return { done: products, failed };
  const { products: done, of } = reading;
  return { done, failed, total: of === undefined ? undefined : Math.max(of, done) };
}

function words(connection: ShopifyConnection): string[] {
  const { shop, state, products, published, failed, problem, problems, webhooks } = connection;
  return [
    safe(
      `${shop}: ${stateInWords(connection)}. ${published} of ${products} products carry their certificate.`,
    ),
    ...(problem === undefined ? [] : [safe(`${problem.nextStep} ${problem.detail}`.trim())]),
    ...(webhooks
      ? []
      : ['Changes are detected once a day: set TOUCHSTONE_SHOPIFY_SECRET to detect them at once.']),
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
