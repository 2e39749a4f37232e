import { useState } from 'preact/hooks';
import { hasPart } from '../../ui/page-data.ts';
import { useAction, useCall, useLoad } from '../loading.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Notice, Waiting } from '../parts/notices.tsx';
import { useTools, useWords } from '../tools.ts';
import { webAddress } from '../web-address.ts';
import { PageOutcome } from './page-outcome.tsx';
import type { StepProps } from './step-props.ts';

/** The last step: checks one of the pages as visitors see it. */
export function PagesStep({ store, setup, onChange }: StepProps) {
  const { client } = useTools();
  const { guide, newStore } = useWords();
  const words = guide.pages;
  const params = { store_id: store.id };
  const first = useCall('listProducts', { params, query: { state: 'active', limit: 1 } });
  const sweeping = useLoad(
    async (signal) =>
      hasPart('sweeps') && (await client.call('getSweep', { params }, { signal })).state !== 'off',
    [store.id],
  );
  const isSweeping = sweeping.value === true;
  const [typed, type] = useState<string>();
  const [isAsked, ask] = useState(false);
  const [report, show] = useState<Awaited<ReturnType<typeof check>>>();
  const url = typed ?? first.value?.products[0]?.url ?? '';
  const address = webAddress(url);
  const check = () => client.call('checkPage', { body: { url: address?.href ?? '', freshness: 'fresh' } });
  const action = useAction(async () => {
    show(undefined);
    show(await check());
    onChange();
  });
  const submit = () => {
    ask(true);
    if (address !== undefined) void action.run();
  };
  return (
    <>
      <p>{words.body}</p>
      <Form action={action} label={words.check} onSubmit={submit}>
        <TextField
          label={words.url}
          value={url}
          onValue={type}
          inputMode="url"
          wrong={isAsked && address === undefined ? newStore.urlWrong : undefined}
        />
      </Form>
      {action.isBusy ? <Waiting text={words.checking} /> : null}
      {report === undefined ? null : <PageOutcome report={report} />}
      {report?.verdict !== 'verified' || setup.complete || sweeping.value === undefined ? null : (
        <Notice>
          <p>{isSweeping ? words.soon : words.never}</p>
        </Notice>
      )}
      {isSweeping ? <p class="hint">{words.all}</p> : null}
    </>
  );
}
