import type { CreatedWebhook, EventType, Webhook } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { Untrusted } from '../../ui/text.tsx';
import { useAction, useCall } from '../loading.ts';
import { At, State } from '../parts/display.tsx';
import { TextField } from '../parts/fields.tsx';
import { Submit } from '../parts/form.tsx';
import { Empty, ErrorNotice, Shown } from '../parts/notices.tsx';
import { OfMerchant, useMerchantLine } from '../parts/of-merchant.tsx';
import { Page } from '../parts/page.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { href } from '../routes.ts';
import { useFormat, useTools, useWords } from '../tools.ts';
import { webAddress } from '../web-address.ts';
import { SELECTABLE_EVENTS } from './event-types.ts';

/** The webhooks of a merchant. */
export function WebhooksPage() {
  const { webhooks: words } = useWords();
  return (
    <Page title={words.title} intro={words.intro} of={useMerchantLine()}>
      <OfMerchant>{(id) => <Webhooks merchantId={id} />}</OfMerchant>
    </Page>
  );
}

function Webhooks({ merchantId }: { merchantId: string }) {
  const { webhooks: words } = useWords();
  const [isAdding, add] = useState(false);
  const [made, show] = useState<CreatedWebhook>();
  const loaded = useCall('listWebhooks', { query: { merchantId, limit: 100 } });
  return (
    <>
      {isAdding ? (
        <AddForm
          merchantId={merchantId}
          onMade={(webhook) => {
            show(webhook);
            add(false);
            loaded.reload();
          }}
          onCancel={() => add(false)}
        />
      ) : (
        <p>
          <button type="button" class="button primary" onClick={() => add(true)}>
            {words.add}
          </button>
        </p>
      )}
      {made === undefined ? null : (
        <SecretDialog
          title={words.secret}
          body={words.secretBody}
          secret={made.secret}
          onClose={() => show(undefined)}
        />
      )}
      <Shown of={loaded}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            isAdding || <Empty title={words.none}>{words.noneBody}</Empty>
          ) : (
            <ul class="rows" aria-label={words.title}>
              {webhooks.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { webhooks: words } = useWords();
  const { count } = useFormat();
  const { id, url, description, state, failingSince, deliveredAt, pending } = webhook;
  return (
    <li class="row">
      <div class="row-main">
        <a class="row-title" href={href('webhook', { webhookId: id })}>
          <Untrusted text={url} />
        </a>
        {description === undefined ? null : (
          <span class="row-detail">
            <Untrusted text={description} />
          </span>
        )}
        <span class="row-detail">
          {failingSince === undefined ? (
            <At text={words.deliveredAt} at={deliveredAt} />
          ) : (
            <At text={words.failingSince} at={failingSince} />
          )}
          {pending === 0 ? null : ` · ${count(words.pending, pending)}`}
        </span>
      </div>
      <div class="row-side">
        <State
          standing={state === 'paused' ? 'off' : failingSince === undefined ? 'good' : 'bad'}
          label={words.states[state === 'active' && failingSince !== undefined ? 'failing' : state]}
        />
      </div>
    </li>
  );
}

interface AddProps {
  readonly merchantId: string;
  readonly onMade: (webhook: CreatedWebhook) => void;
  readonly onCancel: () => void;
}

function AddForm({ merchantId, onMade, onCancel }: AddProps) {
  const { client } = useTools();
  const { webhooks: words, activity, required, cancel } = useWords();
  const [url, setUrl] = useState('');
  const [description, describe] = useState('');
  const [events, choose] = useState<readonly EventType[]>([]);
  const [isAsked, ask] = useState(false);
  const address = webAddress(url);
  const action = useAction(async () => {
    const body = {
      merchantId,
      url: address?.href ?? '',
      ...(events.length === 0 ? {} : { events: [...events] as (typeof SELECTABLE_EVENTS)[number][] }),
      ...(description.trim() === '' ? {} : { description: description.trim() }),
    };
    onMade(await client.call('createWebhook', { body }));
  });
  const submit = (event: Event) => {
    event.preventDefault();
    ask(true);
    if (address !== undefined) void action.run();
  };
  const wrong = url.trim() === '' ? required : address === undefined ? words.urlWrong : undefined;
  const toggle = (event: EventType) =>
    choose(events.includes(event) ? events.filter((one) => one !== event) : [...events, event]);
  return (
    <form onSubmit={submit} noValidate>
      <TextField
        label={words.url}
        hint={words.urlHint}
        value={url}
        onValue={setUrl}
        inputMode="url"
        wrong={isAsked ? wrong : undefined}
      />
      <TextField label={words.description} value={description} onValue={describe} isOptional />
      <fieldset class="choices">
        <legend>{words.events}</legend>
        <p class="hint">{words.eventsHint}</p>
        {SELECTABLE_EVENTS.map((event) => (
          <label key={event} class="choice">
            <input type="checkbox" checked={events.includes(event)} onChange={() => toggle(event)} />{' '}
            <span>
              {activity.events[event]} <code>{event}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <ErrorNotice error={action.error} />
      <div class="actions">
        <Submit label={words.add} isBusy={action.isBusy} />
        <button type="button" class="button" onClick={onCancel}>
          {cancel}
        </button>
      </div>
    </form>
  );
}
