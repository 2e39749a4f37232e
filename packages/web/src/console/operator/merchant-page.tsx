import type { Merchant } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { hasPart } from '../../ui/page-data.ts';
import { fill } from '../../ui/text.tsx';
import { useAction, useLoad } from '../loading.ts';
import { Confirm } from '../parts/dialog.tsx';
import { At, Bar, State } from '../parts/display.tsx';
import { Submit, TextField } from '../parts/fields.tsx';
import { ErrorNotice, Notice, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { href } from '../routes.ts';
import { useFormat, useTools, useWords } from '../tools.ts';
import { capacityOf } from './capacity.ts';

/** One merchant: its plan, whether it is paused, and links to its data. */
export function MerchantPage({ merchantId }: { merchantId: string }) {
  const { client } = useTools();
  const { merchants: words } = useWords();
  const loaded = useLoad(
    (signal) => client.call('getMerchant', { params: { merchant_id: merchantId } }, { signal }),
    [merchantId],
  );
  return (
    <Page title={loaded.value?.name ?? words.title} of={<a href={href('merchants', {})}>{words.back}</a>}>
      <Shown of={loaded}>{(merchant) => <Body merchant={merchant} onMerchant={loaded.replace} />}</Shown>
    </Page>
  );
}

interface BodyProps {
  readonly merchant: Merchant;
  readonly onMerchant: (merchant: Merchant) => void;
}

function Body({ merchant, onMerchant }: BodyProps) {
  const { merchants: words } = useWords();
  const { number } = useFormat();
  const { id, planCapacity, slotsHeld, paused, createdAt, pendingChanges = [] } = merchant;
  return (
    <>
      <p>
        <State standing={paused ? 'bad' : 'good'} label={paused ? words.paused : words.active} /> ·{' '}
        <At text={words.created} at={createdAt} />
      </p>
      <Bar
        label={fill(words.seats, { held: number(slotsHeld), capacity: number(planCapacity) })}
        done={slotsHeld}
        total={Math.max(planCapacity, 1)}
      />
      {pendingChanges.map((change) => (
        <Notice key={change.id}>
          <p>{fill(words.pending, { done: number(change.done) })}</p>
        </Notice>
      ))}
      <ul class="links">
        <li>
          <a href={href('home', {}, { merchant: id })}>{words.stores}</a>
        </li>
        <li>
          <a href={href('keys', {}, { merchant: id })}>{words.keys}</a>{' '}
          <span class="hint">{words.handOver}</span>
        </li>
        <li>
          {hasPart('webhooks') ? <a href={href('webhooks', {}, { merchant: id })}>{words.webhooks}</a> : null}
        </li>
        <li>
          <a href={href('activity', {}, { merchant: id })}>{words.activity}</a>
        </li>
      </ul>
      <PlanForm merchant={merchant} onMerchant={onMerchant} />
      <Pause merchant={merchant} onMerchant={onMerchant} />
    </>
  );
}

function PlanForm({ merchant, onMerchant }: BodyProps) {
  const { client, announce } = useTools();
  const { merchants: words, required, save, saved } = useWords();
  const [name, setName] = useState(merchant.name);
  const [capacity, setCapacity] = useState(String(merchant.planCapacity));
  const planCapacity = capacityOf(capacity);
  const hasName = name.trim() !== '';
  const action = useAction(async () => {
    if (planCapacity === undefined || !hasName) return;
    onMerchant(
      await client.call('updateMerchant', {
        params: { merchant_id: merchant.id },
        body: { name: name.trim(), planCapacity },
      }),
    );
    announce(saved);
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run();
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextField
        label={words.name}
        value={name}
        onValue={setName}
        autocomplete="off"
        wrong={hasName ? undefined : required}
      />
      <TextField
        label={words.capacity}
        hint={words.capacityHint}
        value={capacity}
        onValue={setCapacity}
        inputMode="numeric"
        wrong={planCapacity === undefined ? words.capacityWrong : undefined}
      />
      {action.error === undefined ? null : <ErrorNotice error={action.error} />}
      <Submit label={save} isBusy={action.isBusy} />
    </form>
  );
}

function Pause({ merchant, onMerchant }: BodyProps) {
  const { client } = useTools();
  const { merchants: words } = useWords();
  const [isAsked, ask] = useState(false);
  const action = useAction(async () => {
    const body = { paused: !merchant.paused };
    onMerchant(await client.call('updateMerchant', { params: { merchant_id: merchant.id }, body }));
  });
  if (merchant.paused)
    return (
      <>
        {action.error === undefined ? null : <ErrorNotice error={action.error} />}
        <button type="button" class="button" aria-disabled={action.isBusy} onClick={() => void action.run()}>
          {words.resume}
        </button>
      </>
    );
  return (
    <>
      <button type="button" class="button destructive" onClick={() => ask(true)}>
        {words.pause}
      </button>
      {isAsked ? (
        <Confirm
          title={fill(words.pauseTitle, { name: merchant.name })}
          body={words.pauseBody}
          label={words.pause}
          isDestructive
          action={action}
          onClose={() => ask(false)}
        />
      ) : null}
    </>
  );
}
