import type { Merchant } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { hasPart } from '../../ui/page-data.ts';
import { fill } from '../../ui/text.tsx';
import { useAction, useCall } from '../loading.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { At, Bar, State } from '../parts/display.tsx';
import { TextField } from '../parts/fields.tsx';
import { ActionButton, Form } from '../parts/form.tsx';
import { ErrorNotice, Notice, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { href } from '../routes.ts';
import { useFormat, useTools, useWords } from '../tools.ts';
import { capacityOf } from './capacity.ts';

/** One merchant: its plan, whether it is paused, and links to its data. */
export function MerchantPage({ merchantId }: { merchantId: string }) {
  const { merchants: words } = useWords();
  const loaded = useCall('getMerchant', { params: { merchant_id: merchantId } });
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
        <li>
          <a href={href('withdrawals', {}, { merchant: id })}>{words.withdrawals}</a>
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
  return (
    <Form action={action} label={save} onSubmit={action.run}>
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
    </Form>
  );
}

function Pause({ merchant, onMerchant }: BodyProps) {
  const { client } = useTools();
  const { merchants: words } = useWords();
  const action = useAction(async () => {
    const body = { paused: !merchant.paused };
    onMerchant(await client.call('updateMerchant', { params: { merchant_id: merchant.id }, body }));
  });
  if (merchant.paused)
    return (
      <>
        <ErrorNotice error={action.error} />
        <ActionButton label={words.resume} isBusy={action.isBusy} run={action.run} />
      </>
    );
  return (
    <ConfirmButton
      class="button destructive"
      title={fill(words.pauseTitle, { name: merchant.name })}
      body={words.pauseBody}
      label={words.pause}
      isDestructive
      action={action}
    />
  );
}
