import type { Store } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { hasPart } from '../../ui/page-data.ts';
import { useAction, useCall } from '../loading.ts';
import { CheckField, SelectField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { ErrorNotice, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { StoreName } from '../parts/store-name.tsx';
import { SourceSettings } from '../sources/source-settings.tsx';
import { useTools, useWords } from '../tools.ts';
import { webAddress } from '../web-address.ts';
import { DomainSettings } from './domain-settings.tsx';
import { HostStatementSettings } from './host-statements.tsx';
import { PublicSettings } from './public-settings.tsx';
import { StoreDeletion } from './store-deletion.tsx';

/** The settings of a store. */
export function SettingsPage({ storeId }: { storeId: string }) {
  const { settings: words } = useWords();
  const loaded = useCall('getStore', { params: { store_id: storeId } });
  return (
    <Page title={words.title} of={<StoreName storeId={storeId} />}>
      <Shown of={loaded}>
        {(store) => (
          <div class="settings">
            <StoreForm store={store} onStore={loaded.replace} />
            <DomainSettings store={store} onChange={loaded.reload} />
            <Images store={store} onStore={loaded.replace} />
            <Prices store={store} onStore={loaded.replace} />
            {hasPart('sources') ? <SourceSettings storeId={store.id} /> : null}
            <PublicSettings store={store} />
            <HostStatementSettings store={store} />
            <StoreDeletion store={store} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

type PartProps = { readonly store: Store; readonly onStore: (store: Store) => void };

function StoreForm({ store, onStore }: PartProps) {
  const { client, announce } = useTools();
  const { settings, newStore, platforms, required, save, saved } = useWords();
  const [name, setName] = useState(store.name);
  const [url, setUrl] = useState(store.url);
  const [platform, setPlatform] = useState(store.platform);
  const [isAsked, ask] = useState(false);
  const address = webAddress(url);
  const hasName = name.trim() !== '';
  const action = useAction(async () => {
    const body = { name: name.trim(), platform, ...(url === store.url ? {} : { url: address?.href ?? '' }) };
    const updated = await client.call('updateStore', { params: { store_id: store.id }, body });
    setUrl(updated.url);
    onStore(updated);
    announce(saved);
  });
  const submit = () => {
    ask(true);
    if (hasName && address !== undefined) void action.run();
  };
  const wrongUrl = url.trim() === '' ? required : address === undefined ? newStore.urlWrong : undefined;
  return (
    <section>
      <h2>{settings.store}</h2>
      <Form action={action} label={save} onSubmit={submit}>
        <TextField
          label={newStore.name}
          value={name}
          onValue={setName}
          wrong={isAsked && !hasName ? required : undefined}
        />
        <TextField
          label={newStore.url}
          value={url}
          onValue={setUrl}
          inputMode="url"
          wrong={isAsked ? wrongUrl : undefined}
        />
        <SelectField
          label={newStore.platform}
          value={platform}
          onValue={setPlatform}
          options={(['woocommerce', 'shopify', 'custom'] as const).map(
            (value) => [value, platforms[value]] as const,
          )}
        />
      </Form>
    </section>
  );
}

function Images({ store, onStore }: PartProps) {
  const { client } = useTools();
  const { settings, guide } = useWords();
  const [wanted, want] = useState(store.signImages);
  const action = useAction(async (signImages: boolean) => {
    want(signImages);
    onStore(await client.call('updateStore', { params: { store_id: store.id }, body: { signImages } }));
  });
  return (
    <section>
      <h2>{settings.images}</h2>
      <CheckField
        label={guide.images.sign}
        hint={guide.images.signHint}
        checked={action.isBusy ? wanted : store.signImages}
        onValue={(sign) => void action.run(sign)}
      />
      <ErrorNotice error={action.error} />
    </section>
  );
}

function Prices({ store, onStore }: PartProps) {
  const { client } = useTools();
  const { settings } = useWords();
  const [wanted, want] = useState(store.signPrices === true);
  const action = useAction(async (signPrices: boolean) => {
    want(signPrices);
    onStore(await client.call('updateStore', { params: { store_id: store.id }, body: { signPrices } }));
  });
  return (
    <section>
      <h2>{settings.prices}</h2>
      <CheckField
        label={settings.signPrices}
        hint={settings.signPricesHint}
        checked={action.isBusy ? wanted : store.signPrices === true}
        onValue={(sign) => void action.run(sign)}
      />
      <ErrorNotice error={action.error} />
    </section>
  );
}
