import type { DeliveryList } from '@touchstone/contract';
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { fill, Untrusted, useSetting } from '../../ui/text.tsx';
import { useAction, useLoad, useRepeat } from '../loading.ts';
import { Dialog } from '../parts/dialog.tsx';
import { At, type Standing, State } from '../parts/display.tsx';
import { ActionButton } from '../parts/form.tsx';
import { Filter, List } from '../parts/list.tsx';
import { Empty, ErrorNotice, Shown } from '../parts/notices.tsx';
import { tableState } from '../table-state.ts';
import { useFormat, usePlace, useTools, useWords } from '../tools.ts';

const STATES = ['pending', 'delivered', 'failed'] as const;
const STANDINGS: Readonly<Record<(typeof STATES)[number], Standing>> = {
  pending: 'working',
  delivered: 'good',
  failed: 'bad',
};
/** Poll interval in milliseconds, while deliveries are in progress. */
const POLL_INTERVAL = 3_000;

type Delivery = DeliveryList['deliveries'][number];

/** The deliveries of a webhook, the latest first; each can be sent again. */
export function Deliveries({ webhookId, round }: { webhookId: string; round: number }) {
  const { client } = useTools();
  const { webhooks: words } = useWords();
  const table = tableState({ state: STATES, cursor: 'text' }, usePlace().search);
  const { state, cursor } = table;
  const params = { webhook_id: webhookId };
  const loaded = useLoad(
    (signal) => client.call('listDeliveries', { params, query: { state, cursor, limit: 50 } }, { signal }),
    [webhookId, state, cursor, round],
  );
  const isMoving =
    loaded.value?.deliveries.some((one) => one.state === 'pending') === true && loaded.error === undefined;
  useRepeat(loaded.reload, POLL_INTERVAL, isMoving);
  return (
    <>
      <Filter
        label={words.state}
        table={table}
        by="state"
        values={STATES}
        names={words.deliveryStates}
        all={words.all}
      />
      <Shown of={loaded}>
        {({ deliveries, nextCursor }) => (
          <List
            label={words.deliveries}
            table={table}
            nextCursor={nextCursor}
            empty={
              state === undefined ? (
                <Empty title={words.noDeliveries}>{words.noDeliveriesBody}</Empty>
              ) : (
                <Empty title={words.noneInState} />
              )
            }
          >
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} onChange={loaded.reload} />
            ))}
          </List>
        )}
      </Shown>
    </>
  );
}

function DeliveryRow({ delivery, onChange }: { delivery: Delivery; onChange: () => void }) {
  const { client, announce } = useTools();
  const { webhooks: words, activity, close } = useWords();
  const { texts, language } = useSetting();
  const { count } = useFormat();
  const [payload, show] = useState<string>();
  const { id, webhookId, type, occurredAt, state, attempts, lastAttempt, nextAttemptAt } = delivery;
  const params = { webhook_id: webhookId, delivery_id: id };
  const replay = useAction(async () => {
    await client.call('replayDelivery', { params });
    announce(words.replayed);
    onChange();
  });
  const refresh = useAction(async () => {
    show(JSON.stringify((await client.call('getDelivery', { params })).payload, null, 2));
  });
  const error = replay.error ?? refresh.error;
  const sentences: Readonly<Record<string, { readonly sentence: string; readonly nextStep: string }>> =
    texts.deliveries;
  const failure = lastAttempt?.code === undefined ? undefined : sentences[lastAttempt.code];
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {activity.events[type]} <code>{type}</code>
        </span>
        <span class="row-detail">
          <At text={words.occurred} at={occurredAt} /> · {count(words.attempts, attempts)}
          {lastAttempt?.status === undefined
            ? null
            : ` · ${fill(words.answered, { status: lastAttempt.status, ms: lastAttempt.milliseconds })}`}
        </span>
        {lastAttempt?.code === undefined ? null : (
          <>
            <p lang={failure === undefined && language !== 'en' ? 'en' : undefined}>
              <Untrusted text={failure?.sentence ?? lastAttempt.detail ?? lastAttempt.code} />
            </p>
            <p class="next-step">{failure?.nextStep ?? lastAttempt.nextStep}</p>
          </>
        )}
        <p class="hint">
          <At text={words.nextAttempt} at={nextAttemptAt} />
        </p>
        <ErrorNotice error={error} />
      </div>
      <div class="row-side">
        <State standing={STANDINGS[state]} label={words.deliveryStates[state]} />
        <ActionButton label={words.payload} isBusy={refresh.isBusy} run={refresh.run} isSmall />
        {state === 'pending' ? null : (
          <ActionButton label={words.replay} isBusy={replay.isBusy} run={replay.run} isSmall />
        )}
      </div>
      {payload === undefined ? null : (
        <Dialog title={words.payload} onClose={() => show(undefined)}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus */}
          <pre tabIndex={0} class="payload" dir="ltr">
            {payload.split('\n').map((line, index) => (
              <Fragment key={index}>
                {index === 0 ? '' : '\n'}
                <Untrusted text={line} />
              </Fragment>
            ))}
          </pre>
          <div class="actions">
            <button type="button" class="button" onClick={() => show(undefined)}>
              {close}
            </button>
          </div>
        </Dialog>
      )}
    </li>
  );
}
