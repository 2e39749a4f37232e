import type { Webhook } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { FactList } from '../../ui/fact-list.tsx';
import { Untrusted } from '../../ui/text.tsx';
import { useAction, useCall } from '../loading.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { At, State } from '../parts/display.tsx';
import { ActionButton } from '../parts/form.tsx';
import { ErrorNotice, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { href } from '../routes.ts';
import { useCaller, useFormat, useTools, useWords } from '../tools.ts';
import { Deliveries } from './deliveries.tsx';

/** One webhook: its state, its actions, and its deliveries. */
export function WebhookPage({ webhookId }: { webhookId: string }) {
  const { webhooks: words } = useWords();
  const [round, again] = useState(0);
  const caller = useCaller();
  const loaded = useCall('getWebhook', { params: { webhook_id: webhookId } });
  const changed = () => {
    loaded.reload();
    again((times) => times + 1);
  };
  const merchant = caller.role === 'operator' ? loaded.value?.merchantId : undefined;
  const back = (
    <p>
      <a href={href('webhooks', {}, { merchant })}>{words.back}</a>
    </p>
  );
  return (
    <Page title={words.one} of={<Untrusted text={loaded.value?.url ?? ''} />}>
      <Shown of={loaded}>
        {(webhook) => (
          <>
            <Facts webhook={webhook} />
            <Actions webhook={webhook} onWebhook={loaded.replace} onChange={changed} />
            {/* above the list, which loads later and must not shift the layout */}
            {back}
            <h2>{words.deliveries}</h2>
            <Deliveries webhookId={webhookId} round={round} />
          </>
        )}
      </Shown>
      {loaded.error === undefined ? null : back}
    </Page>
  );
}

function Facts({ webhook }: { webhook: Webhook }) {
  const { webhooks: words } = useWords();
  const { count } = useFormat();
  const { state, pausedBecause, failingSince, deliveredAt, description, events, pending } = webhook;
  return (
    <FactList
      facts={[
        [
          words.state,
          <>
            <State
              standing={state === 'paused' ? 'off' : failingSince === undefined ? 'good' : 'bad'}
              label={words.states[state === 'active' && failingSince !== undefined ? 'failing' : state]}
            />
            {pausedBecause === undefined ? null : ` · ${words.pausedBecause[pausedBecause]}`}
            {failingSince === undefined ? null : pausedBecause === undefined ? ' · ' : ' '}
            <At text={words.failingSince} at={failingSince} />
          </>,
        ],
        [words.description, description === undefined ? undefined : <Untrusted text={description} />],
        [words.events, <code>{events.join(', ')}</code>],
        [
          words.deliveries,
          deliveredAt === undefined && pending === 0 ? undefined : (
            <>
              <At text={words.deliveredAt} at={deliveredAt} />
              {deliveredAt === undefined || pending === 0 ? null : ' · '}
              {pending === 0 ? null : count(words.pending, pending)}
            </>
          ),
        ],
      ]}
    />
  );
}

interface ActionsProps {
  readonly webhook: Webhook;
  readonly onWebhook: (webhook: Webhook) => void;
  readonly onChange: () => void;
}

function Actions({ webhook, onWebhook, onChange }: ActionsProps) {
  const { client, navigation, announce } = useTools();
  const { webhooks: words } = useWords();
  const [secret, show] = useState<string>();
  const params = { webhook_id: webhook.id };
  const paused = webhook.state === 'paused';
  const pause = useAction(async () => {
    onWebhook(await client.call('updateWebhook', { params, body: { paused: !paused } }));
  });
  const test = useAction(async () => {
    await client.call('testWebhook', { params });
    announce(words.tested);
    onChange();
  });
  const rotate = useAction(async () => {
    show((await client.call('rotateWebhookSecret', { params, body: {} })).secret);
  });
  const remove = useAction(async () => {
    await client.call('deleteWebhook', { params });
    navigation.go(href('webhooks', {}, { merchant: webhook.merchantId }));
  });
  const error = pause.error ?? test.error;
  return (
    <>
      <ErrorNotice error={error} />
      <div class="actions">
        <ActionButton label={words.test} isBusy={test.isBusy} run={test.run} />
        <ActionButton label={paused ? words.resume : words.pause} isBusy={pause.isBusy} run={pause.run} />
        <ConfirmButton
          class="button"
          title={words.rotateTitle}
          body={words.rotateBody}
          label={words.rotate}
          action={rotate}
        />
        <ConfirmButton
          class="button destructive"
          title={words.deleteTitle}
          body={words.deleteBody}
          label={words.delete}
          isDestructive
          action={remove}
        />
      </div>
      {secret === undefined ? null : (
        <SecretDialog
          title={words.secret}
          body={words.secretBody}
          secret={secret}
          onClose={() => show(undefined)}
        />
      )}
    </>
  );
}
