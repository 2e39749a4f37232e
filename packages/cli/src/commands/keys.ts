import type { Command } from 'commander';
import { EXIT } from '../cli-error.ts';
import type { ServiceClient } from '../client.ts';
import { safe, table } from '../output/text.ts';
import { merchantMeant } from '../registry/merchant-meant.ts';
import { compact } from '../registry/registry-command.ts';
import { everyItem, registryClient } from '../registry-client.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';
import { addSigningKeys } from './signing-keys.ts';

interface KeyOptions extends GlobalOptions {
  readonly merchantId?: string;
  readonly label?: string;
  readonly key?: string;
}

const ONLY = 'default: the only one that the key may see';

export function addKeys(program: Command, session: Session): void {
  const keys = program
    .command('keys')
    .description('API keys of a merchant; `keys signing`: keys of the service itself.');
  addSigningKeys(keys, session);
  keys
    .command('create')
    .description('Create an API key; it is shown only once.')
    .option('--merchant-id <uuid>', `the merchant to which it belongs (${ONLY})`)
    .option('--label <text>', 'what it is for')
    .option('--key <key>', 'API key for the call (TOUCHSTONE_KEY)')
    .action((_: unknown, command: Command) => create(session, command.optsWithGlobals<KeyOptions>()));
  keys
    .command('list')
    .description(
      'List the API keys that are not revoked, with their last use; the keys themselves are not stored.',
    )
    .option('--merchant-id <uuid>', `the merchant to which they belong (${ONLY})`)
    .option('--key <key>', 'API key for the call (TOUCHSTONE_KEY)')
    .action((_: unknown, command: Command) => list(session, command.optsWithGlobals<KeyOptions>()));
  keys
    .command('revoke')
    .description('Revoke an API key. Signing keys: touchstone keys signing revoke.')
    .argument('<key-id>', 'id of the key, as shown by create and list')
    .option('--merchant-id <uuid>', `the merchant to which it belongs (${ONLY})`)
    .option('--key <key>', 'API key for the call (TOUCHSTONE_KEY)')
    .action((id: string, _: unknown, command: Command) =>
      revoke(session, id, command.optsWithGlobals<KeyOptions>()),
    );
}

function clientFor(session: Session, options: KeyOptions): ServiceClient {
  // one attempt: if the response is lost, the user must know, and no second key may be created
  return registryClient(session, options, { attempts: 1 });
}

async function create(session: Session, options: KeyOptions): Promise<void> {
  const client = clientFor(session, options);
  const made = await client.call('createApiKey', {
    params: { merchant_id: await merchantMeant(client, options.merchantId) },
    body: compact({ label: options.label }),
  });
  session.print(options, made, () => `${safe(made.key)}\n`);
  // on standard error, so that a script reads only the key from standard output
  if (options.json !== true) {
    const advice = 'It is shown only once: store it now, for example as TOUCHSTONE_KEY.';
    session.io.stderr.write(`Key ${safe(made.id)}. ${advice}\n`);
  }
  session.exitCode = EXIT.verified;
}

async function list(session: Session, options: KeyOptions): Promise<void> {
  const client = clientFor(session, options);
  const params = { merchant_id: await merchantMeant(client, options.merchantId) };
  const keys = await everyItem(
    (cursor) => client.call('listApiKeys', { params, query: { cursor } }),
    (page) => page.keys,
  );
  session.print(options, { keys }, () =>
    keys.length === 0
      ? 'This merchant has no API key. Create one: touchstone keys create.\n'
      : table(
          keys.map(({ id, createdAt, lastUsedOn, label }) => [
            id,
            `created ${createdAt}`,
            lastUsedOn === undefined ? 'never used' : `last used on ${lastUsedOn}`,
            label,
          ]),
        ),
  );
  session.exitCode = EXIT.verified;
}

async function revoke(session: Session, id: string, options: KeyOptions): Promise<void> {
  const client = clientFor(session, options);
  const params = { merchant_id: await merchantMeant(client, options.merchantId), key_id: id };
  await client.call('revokeApiKey', { params });
  session.print(options, { id, revoked: true }, () => `Key ${safe(id)} is revoked and no longer accepted.\n`);
  session.exitCode = EXIT.verified;
}
