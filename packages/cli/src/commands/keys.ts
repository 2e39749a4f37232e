import type { Command } from 'commander';
import { cannotTell } from '../cli-error.ts';
import { errorOfAnswer, isRecord } from '../client/problem.ts';
import { createServiceClient, type ServiceClient } from '../client/service-client.ts';
import { EXIT } from '../exit-codes.ts';
import { safe } from '../output/safe-text.ts';
import type { Session } from '../session.ts';
import { apiKey, type GlobalOptions, serviceUrl } from '../settings.ts';

interface KeyOptions extends GlobalOptions {
  readonly merchantId: string;
  readonly label?: string;
  readonly key?: string;
}

export function addKeys(program: Command, session: Session): void {
  const keys = program.command('keys').description('API keys of a merchant.');
  keys
    .command('create')
    .description('Make an API key; it is shown this once.')
    .requiredOption('--merchant-id <uuid>', 'the merchant that it belongs to')
    .option('--label <text>', 'what it is for, to know it by later')
    .option('--key <key>', 'API key to ask with (TOUCHSTONE_KEY)')
    .action((_: unknown, command: Command) => create(session, command.optsWithGlobals<KeyOptions>()));
  keys
    .command('revoke')
    .description('Make an API key open nothing any more.')
    .argument('<key-id>', 'id of the key, as it was told when it was made')
    .requiredOption('--merchant-id <uuid>', 'the merchant that it belongs to')
    .option('--key <key>', 'API key to ask with (TOUCHSTONE_KEY)')
    .action((id: string, _: unknown, command: Command) =>
      revoke(session, id, command.optsWithGlobals<KeyOptions>()),
    );
}

function clientFor(session: Session, options: KeyOptions): ServiceClient {
  const { io } = session;
  // one attempt: a key whose answer got lost must be known as such, not made twice
  return createServiceClient({ baseUrl: serviceUrl(options, io.env), key: apiKey(options, io.env), io });
}

function pathOf(options: KeyOptions): string {
  return `/api/v1/registry/merchants/${encodeURIComponent(options.merchantId)}/api-keys`;
}

async function create(session: Session, options: KeyOptions): Promise<void> {
  const client = clientFor(session, options);
  const body = options.label === undefined ? {} : { label: options.label };
  const made = await client.request({ method: 'POST', path: pathOf(options), body });
  if (!isRecord(made) || typeof made.key !== 'string' || typeof made.id !== 'string') {
    throw cannotTell(
      `The answer of ${client.baseUrl} is no API key.`,
      'Are service and command of one version?',
    );
  }
  const { id, key } = made;
  session.print(
    options,
    made,
    () =>
      `${safe(key)}\n\nKey ${safe(id)}. It is shown this once: keep it now, for example as TOUCHSTONE_KEY.\n`,
  );
  session.exitCode = EXIT.verified;
}

async function revoke(session: Session, id: string, options: KeyOptions): Promise<void> {
  const client = clientFor(session, options);
  const path = `${pathOf(options)}/${encodeURIComponent(id)}`;
  const answer = await client.answer({ method: 'DELETE', path });
  if (answer.status !== 204) throw errorOfAnswer(answer, client.baseUrl, `DELETE ${path}`);
  session.print(options, { id, revoked: true }, () => `Key ${safe(id)} opens nothing any more.\n`);
  session.exitCode = EXIT.verified;
}
