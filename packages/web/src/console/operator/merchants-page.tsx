import type { Merchant } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { fill, Untrusted } from '../../ui/text.tsx';
import { useAction, useCall } from '../loading.ts';
import { State } from '../parts/display.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { List } from '../parts/list.tsx';
import { Empty, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { href } from '../routes.ts';
import { tableState } from '../table-state.ts';
import { useFormat, usePlace, useTools, useWords } from '../tools.ts';
import { capacityOf } from './capacity.ts';

/** The merchants of the service. */
export function MerchantsPage() {
  const { merchants: words } = useWords();
  const table = tableState({ cursor: 'text' }, usePlace().search);
  const { cursor } = table;
  const loaded = useCall('listMerchants', { query: { cursor, limit: 50 } });
  return (
    <Page title={words.title}>
      <AddForm />
      <Shown of={loaded}>
        {({ merchants, nextCursor }) => (
          <List
            label={words.title}
            table={table}
            nextCursor={nextCursor}
            empty={<Empty title={words.none}>{words.noneBody}</Empty>}
          >
            {merchants.map((merchant) => (
              <MerchantRow key={merchant.id} merchant={merchant} />
            ))}
          </List>
        )}
      </Shown>
    </Page>
  );
}

function MerchantRow({ merchant: { id, name, paused, slotsHeld, planCapacity } }: { merchant: Merchant }) {
  const { merchants: words } = useWords();
  const { number } = useFormat();
  const isFull = slotsHeld >= planCapacity;
  return (
    <li class="row">
      <div class="row-main">
        <a class="row-title" href={href('merchant', { merchantId: id })}>
          <Untrusted text={name} />
        </a>
        <span class="row-detail">
          {fill(words.seats, { held: number(slotsHeld), capacity: number(planCapacity) })}
          {isFull ? ` · ${words.full}` : ''}
        </span>
      </div>
      <div class="row-side">
        <State standing={paused ? 'bad' : 'good'} label={paused ? words.paused : words.active} />
      </div>
    </li>
  );
}

function AddForm() {
  const { client, navigation } = useTools();
  const { merchants: words, required } = useWords();
  const [name, setName] = useState('');
  const [capacity, setCapacity] = useState('1000');
  const [isAsked, ask] = useState(false);
  const planCapacity = capacityOf(capacity);
  const action = useAction(async () => {
    const { id } = await client.call('createMerchant', {
      body: { name: name.trim(), planCapacity: planCapacity ?? 0 },
    });
    navigation.go(href('merchant', { merchantId: id }));
  });
  const submit = () => {
    ask(true);
    if (name.trim() !== '' && planCapacity !== undefined) void action.run();
  };
  return (
    <Form class="inline" action={action} label={words.add} onSubmit={submit}>
      <TextField
        label={words.name}
        value={name}
        onValue={setName}
        autocomplete="off"
        wrong={isAsked && name.trim() === '' ? required : undefined}
      />
      <TextField
        label={words.capacity}
        hint={words.capacityHint}
        value={capacity}
        onValue={setCapacity}
        inputMode="numeric"
        wrong={isAsked && planCapacity === undefined ? words.capacityWrong : undefined}
      />
    </Form>
  );
}
