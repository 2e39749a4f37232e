import type { Delivery, EventType, Webhook } from '@touchstone/contract';
import { type Command, Option } from 'commander';
import { EXIT, usage } from '../../cli-error.ts';
import { type Paint, safe, table } from '../../output/text.ts';
import { merchantMeant } from '../../registry/merchant-meant.ts';
import { compact } from '../../registry/registry-command.ts';
import { everyItem, registryClient } from '../../registry-client.ts';
import type { Session } from '../../session.ts';
import type { GlobalOptions } from '../../settings.ts';

interface WebhookOptions extends GlobalOptions {
  readonly key?: string;
  readonly merchantId?: string;
  readonly url?: string;
  readonly event?: EventType[];
  readonly description?: string;
  readonly pause?: boolean;
  readonly resume?: boolean;
  readonly keepHours?: string;
  readonly state?: Delivery['state'];
}

/** Milliseconds between two questions for what became of a test, and how often it is asked. */
const PACE = 500;
const PATIENCE = 60;

export function addWebhooks(program: Command, session: Session): void {
  const webhooks = program.command('webhooks').description('Endpoints of a merchant that receive events.');
  const add = (name: string, description: string) =>
    webhooks.command(name).description(description).option('--key <key>', 'API key (TOUCHSTONE_KEY)');
  const types = ['--event <types...>', 'event types (default: all)'] as const;
  add('list', 'List the webhooks that the key may see.')
    .option('--merchant-id <uuid>', 'only webhooks of this merchant')
    .action((_: unknown, command: Command) => list(session, command.optsWithGlobals()));
  add('create', 'Create a webhook; its secret is shown only once.')
    .option(
      '--merchant-id <uuid>',
      'the merchant whose events it receives (default: the only one that the key may see)',
    )
    .requiredOption('--url <url>', 'https address of the endpoint')
    .option(...types)
    .option('--description <text>', 'what it is for')
    .action((_: unknown, command: Command) => create(session, command.optsWithGlobals()));
  add('change', 'Change, pause or resume a webhook; when resumed, pending deliveries are sent at once.')
    .argument('<webhook-id>', 'the webhook')
    .option('--url <url>', 'new address of the endpoint')
    .option(types[0], 'new event types')
    .option('--description <text>', 'new description')
    .addOption(new Option('--pause', 'stop deliveries').conflicts('resume'))
    .option('--resume', 'resume deliveries')
    .action((id: string, _: unknown, command: Command) => change(session, id, command.optsWithGlobals()));
  add('rotate', 'Rotate the secret of a webhook; for a while, both secrets sign.')
    .argument('<webhook-id>', 'the webhook')
    .option('--keep-hours <hours>', 'hours for which the current secret signs too: 0 to 168', '24')
    .action((id: string, _: unknown, command: Command) => rotate(session, id, command.optsWithGlobals()));
  add('delete', 'Delete a webhook and its log.')
    .argument('<webhook-id>', 'the webhook')
    .action((id: string, _: unknown, command: Command) => remove(session, id, command.optsWithGlobals()));
  add('test', 'Send a test event and wait for the outcome.')
    .argument('<webhook-id>', 'the webhook')
    .action((id: string, _: unknown, command: Command) => test(session, id, command.optsWithGlobals()));
  add('deliveries', 'List the latest 100 deliveries, newest first.')
    .argument('<webhook-id>', 'the webhook')
    .addOption(
      new Option('--state <state>', 'only deliveries in this state').choices([
        'pending',
        'delivered',
        'failed',
      ]),
    )
    .action((id: string, _: unknown, command: Command) => deliveries(session, id, command.optsWithGlobals()));
  add('replay', 'Deliver an event again.')
    .argument('<webhook-id>', 'the webhook')
    .argument('<delivery-id>', 'the delivery, as listed by deliveries')
    .action((id: string, delivery: string, _: unknown, command: Command) =>
      replay(session, id, delivery, command.optsWithGlobals()),
    );
}

/** Single attempt, for calls that create or send something and must not be repeated. */
const ONCE = { attempts: 1 };

async function list(session: Session, options: WebhookOptions): Promise<void> {
  const client = registryClient(session, options);
  const { merchantId } = options;
  const webhooks = await everyItem(
    (cursor) => client.call('listWebhooks', { query: { merchantId, cursor } }),
    (page) => page.webhooks,
  );
  session.print(options, { webhooks }, () =>
    webhooks.length === 0
      ? 'There is no webhook. Create one: touchstone webhooks create.\n'
      : webhooks.map((webhook) => webhookText(webhook, session.paint)).join(''),
  );
  const isWell = webhooks.every(
    ({ state, failingSince }) => state === 'active' && failingSince === undefined,
  );
  session.exitCode = isWell ? EXIT.verified : EXIT.unverified;
}

function webhookText(webhook: Webhook, paint: Paint): string {
  const { id, url, description, events, state, pausedBecause, pausedAt, failingSince, pending } = webhook;
  const paused = {
    asked: 'on request',
    failing: 'after failing for 5 days',
    gone: 'because the endpoint answered 410',
  }[pausedBecause ?? 'asked'];
  const shownState =
    state === 'paused'
      ? paint('bad', safe(`paused at ${pausedAt}, ${paused}; touchstone webhooks change ${id} --resume`))
      : failingSince === undefined
        ? paint('good', 'active')
        : paint(
            'unsure',
            safe(`active, failing since ${failingSince}; touchstone webhooks deliveries ${id}`),
          );
  const lines = [
    `${paint('strong', safe(url))}  ${id}${description === undefined ? '' : `  ${safe(description)}`}`,
    `  ${shownState}; ${pending} pending`,
    `  ${safe(events.join(', '))}`,
  ];
  return `${lines.join('\n')}\n`;
}

async function create(session: Session, options: WebhookOptions): Promise<void> {
  const { merchantId, url = '', event: events, description } = options;
  const client = registryClient(session, options, ONCE);
  const made = await client.call('createWebhook', {
    body: {
      merchantId: await merchantMeant(client, merchantId),
      url,
      ...compact({ events, description }),
    },
  });
  printSecret(session, options, made, `Webhook ${made.id}.`);
}

async function rotate(session: Session, id: string, options: WebhookOptions): Promise<void> {
  const params = { webhook_id: id };
  const made = await registryClient(session, options, ONCE).call('rotateWebhookSecret', {
    params,
    body: { keepHours: Number(options.keepHours) },
  });
  const until = made.formerSecretUntil;
  const former =
    until === undefined
      ? 'The former secret no longer signs.'
      : `The former secret signs too, until ${until}.`;
  printSecret(session, options, made, former);
}

/** Prints only the secret on standard output, so that a script can read it from there. */
function printSecret(
  session: Session,
  options: WebhookOptions,
  made: { secret: string },
  more: string,
): void {
  session.print(options, made, () => `${safe(made.secret)}\n`);
  if (options.json !== true) {
    session.io.stderr.write(
      `${safe(more)} The secret is shown only once: configure the endpoint with it now.\n`,
    );
  }
  session.exitCode = EXIT.verified;
}

async function change(session: Session, id: string, options: WebhookOptions): Promise<void> {
  const { url, event: events, description, pause, resume } = options;
  if ([url, events, description, pause, resume].every((one) => one === undefined))
    throw usage('No change was given.', 'Give --url, --event, --description, --pause or --resume.');
  const changed = await registryClient(session, options).call('updateWebhook', {
    params: { webhook_id: id },
    body: {
      ...compact({ url, events, description }),
      ...(pause === true ? { paused: true } : resume === true ? { paused: false } : {}),
    },
  });
  session.print(options, changed, () => webhookText(changed, session.paint));
  session.exitCode = EXIT.verified;
}

async function remove(session: Session, id: string, options: WebhookOptions): Promise<void> {
  await registryClient(session, options, ONCE).call('deleteWebhook', { params: { webhook_id: id } });
  session.print(options, { id, deleted: true }, () => `Webhook ${safe(id)} is deleted.\n`);
  session.exitCode = EXIT.verified;
}

async function test(session: Session, id: string, options: WebhookOptions): Promise<void> {
  const client = registryClient(session, options, ONCE);
  let delivery: Delivery = await client.call('testWebhook', { params: { webhook_id: id } });
  const params = { webhook_id: id, delivery_id: delivery.id };
  for (let asked = 0; asked < PATIENCE && delivery.attempts === 0 && !session.io.stop.aborted; asked += 1) {
    await session.io.sleep(PACE);
    delivery = await client.call('getDelivery', { params });
  }
  session.print(options, delivery, () => table([cells(delivery)]));
  const { state, attempts } = delivery;
  session.exitCode = state === 'delivered' ? EXIT.verified : attempts > 0 ? EXIT.failed : EXIT.cannotTell;
}

async function deliveries(session: Session, id: string, options: WebhookOptions): Promise<void> {
  const query = compact({ state: options.state });
  const answer = await registryClient(session, options).call('listDeliveries', {
    params: { webhook_id: id },
    query,
  });
  session.print(options, answer, () =>
    answer.deliveries.length === 0 ? 'Nothing was sent.\n' : table(answer.deliveries.map(cells)),
  );
  session.exitCode = answer.deliveries.some(({ state }) => state === 'failed') ? EXIT.failed : EXIT.verified;
}

async function replay(
  session: Session,
  id: string,
  delivery: string,
  options: WebhookOptions,
): Promise<void> {
  const params = { webhook_id: id, delivery_id: delivery };
  const ordered = await registryClient(session, options).call('replayDelivery', { params });
  session.print(options, ordered, () => table([cells(ordered)]));
  session.exitCode = EXIT.verified;
}

function cells({ id, createdAt, type, state, attempts, lastAttempt, nextAttemptAt }: Delivery) {
  const { status, code, detail, nextStep } = lastAttempt ?? {};
  const met = [code, status, detail].filter((part) => part !== undefined).join(' ');
  const why = [met, nextStep].filter((part) => part !== undefined && part !== '').join(': ');
  const next = state === 'pending' && nextAttemptAt !== undefined ? `Next at ${nextAttemptAt}` : '';
  const outcome =
    state === 'delivered' ? String(status ?? '') : [why, next].filter((part) => part !== '').join(' ');
  return [id, createdAt, type, `${state} (${attempts})`, outcome];
}
