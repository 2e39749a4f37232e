import type { DomainView, Store } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { fill, Untrusted, UntrustedLink } from '../../ui/text.tsx';
import { useAction, useLoad } from '../loading.ts';
import { Confirm } from '../parts/dialog.tsx';
import { At, type Standing, State } from '../parts/display.tsx';
import { CheckField, SelectField, Submit, TextField } from '../parts/fields.tsx';
import { ErrorNotice, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { StoreName } from '../parts/store-name.tsx';
import { href } from '../routes.ts';
import { useFormat, useTools, useWords } from '../tools.ts';

/** What can be changed about a store. */
export function SettingsPage({ storeId }: { storeId: string }) {
  const { client } = useTools();
  const { settings: words } = useWords();
  const loaded = useLoad(
    (signal) => client.call('getStore', { params: { store_id: storeId } }, { signal }),
    [storeId],
  );
  return (
    <Page title={words.title} of={<StoreName storeId={storeId} />}>
      <Shown of={loaded}>
        {(store) => (
          <div class="settings">
            <StoreForm store={store} onStore={loaded.replace} />
            <Domains store={store} onChange={loaded.reload} />
            <Images store={store} onStore={loaded.replace} />
            <Source storeId={store.id} />
            <Deletion store={store} />
          </div>
        )}
      </Shown>
    </Page>
  );
}

type PartProps = { readonly store: Store; readonly onStore: (store: Store) => void };

function StoreForm({ store, onStore }: PartProps) {
  const { client, announce } = useTools();
  const { settings, newStore, platforms, save, saved } = useWords();
  const [name, setName] = useState(store.name);
  const [url, setUrl] = useState(store.url);
  const [platform, setPlatform] = useState(store.platform);
  const action = useAction(async () => {
    const body = { name, platform, ...(url === store.url ? {} : { url }) };
    onStore(await client.call('updateStore', { params: { store_id: store.id }, body }));
    announce(saved);
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run();
  };
  return (
    <section>
      <h2>{settings.store}</h2>
      <form onSubmit={submit} noValidate>
        <TextField label={newStore.name} value={name} onValue={setName} />
        <TextField label={newStore.url} value={url} onValue={setUrl} inputMode="url" />
        <SelectField
          label={newStore.platform}
          value={platform}
          onValue={setPlatform}
          options={(['woocommerce', 'shopify', 'custom'] as const).map(
            (value) => [value, platforms[value]] as const,
          )}
        />
        {action.error === undefined ? null : <ErrorNotice error={action.error} />}
        <Submit label={save} isBusy={action.isBusy} />
      </form>
    </section>
  );
}

function Domains({ store, onChange }: { store: Store; onChange: () => void }) {
  const { client } = useTools();
  const { settings: words, required } = useWords();
  const [hostname, setHostname] = useState('');
  const [isAsked, ask] = useState(false);
  const action = useAction(async () => {
    await client.call('addDomain', { params: { store_id: store.id }, body: { hostname: hostname.trim() } });
    setHostname('');
    ask(false);
    onChange();
  });
  const submit = (event: Event) => {
    event.preventDefault();
    ask(true);
    if (hostname.trim() !== '') void action.run();
  };
  return (
    <section>
      <h2>{words.domains}</h2>
      <ul class="rows">
        {store.domains.map((domain) => (
          <DomainRow key={domain.hostname} store={store} domain={domain} onChange={onChange} />
        ))}
      </ul>
      <form onSubmit={submit} noValidate>
        <TextField
          label={words.hostname}
          hint={words.hostnameHint}
          value={hostname}
          onValue={setHostname}
          wrong={isAsked && hostname.trim() === '' ? required : undefined}
        />
        {action.error === undefined ? null : <ErrorNotice error={action.error} />}
        <Submit label={words.addDomain} isBusy={action.isBusy} />
      </form>
    </section>
  );
}

function DomainRow({ store, domain, onChange }: { store: Store; domain: DomainView; onChange: () => void }) {
  const { client } = useTools();
  const { settings: words } = useWords();
  const { moment } = useFormat();
  const [isAsked, ask] = useState(false);
  const { hostname, verified, lostAt } = domain;
  const action = useAction(async () => {
    await client.call('removeDomain', { params: { store_id: store.id, hostname } });
    onChange();
  });
  const standing: Standing = verified ? 'good' : lostAt === undefined ? 'open' : 'bad';
  const label = verified
    ? words.proven
    : lostAt === undefined
      ? words.notProven
      : fill(words.lostAt, { time: moment(lostAt) });
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <Untrusted text={hostname} />
        </span>
        {verified || lostAt !== undefined ? null : (
          <a href={href('guide', { storeId: store.id }, { step: 'domain' })}>{words.prove}</a>
        )}
      </div>
      <div class="row-side">
        <State standing={standing} label={label} />
        <button
          type="button"
          class="button small"
          aria-label={fill(words.removeName, { hostname })}
          onClick={() => ask(true)}
        >
          {words.remove}
        </button>
      </div>
      {isAsked ? (
        <Confirm
          title={fill(words.removeTitle, { hostname })}
          body={words.removeBody}
          label={words.remove}
          isGrave
          action={action}
          onClose={() => ask(false)}
        />
      ) : null}
    </li>
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
      {action.error === undefined ? null : <ErrorNotice error={action.error} />}
    </section>
  );
}

/** Where the catalogue is read from by itself, if anywhere. */
function Source({ storeId }: { storeId: string }) {
  const { client } = useTools();
  const { settings: words } = useWords();
  const { count } = useFormat();
  const params = { store_id: storeId };
  const loaded = useLoad(
    async (signal) => {
      // to ask for one that is not there is refused, which browsers log as an error
      const { hasSource } = await client.call('getStoreSetup', { params }, { signal });
      return hasSource ? await client.call('getStoreSource', { params }, { signal }) : null;
    },
    [storeId],
  );
  const stop = useAction(async () => {
    await client.call('deleteStoreSource', { params });
    loaded.reload();
  });
  return (
    <section>
      <h2>{words.source}</h2>
      <Shown of={loaded}>
        {(source) =>
          source === null ? (
            <p>
              {words.sourceNone} <a href={href('guide', { storeId }, { step: 'products' })}>{words.add}</a>
            </p>
          ) : (
            <>
              <p>
                <UntrustedLink url={source.url} /> · {count(words.sourceEvery, source.everyHours)} ·{' '}
                <At text={words.sourceNext} at={source.nextAt} />
              </p>
              {stop.error === undefined ? null : <ErrorNotice error={stop.error} />}
              <button
                type="button"
                class="button"
                aria-disabled={stop.isBusy}
                onClick={() => void stop.run()}
              >
                {words.sourceStop}
              </button>
            </>
          )
        }
      </Shown>
    </section>
  );
}

function Deletion({ store }: { store: Store }) {
  const { client, navigation } = useTools();
  const { settings: words } = useWords();
  const [isAsked, ask] = useState(false);
  const [typed, type] = useState('');
  const action = useAction(async () => {
    await client.call('deleteStore', { params: { store_id: store.id } });
    navigation.go(href('home', {}));
  });
  return (
    <section>
      <h2>{words.delete}</h2>
      <button type="button" class="button grave" onClick={() => ask(true)}>
        {words.delete}
      </button>
      {isAsked ? (
        <Confirm
          title={fill(words.deleteTitle, { name: store.name })}
          body={words.deleteBody}
          label={words.delete}
          isGrave
          isReady={typed.trim() === store.name.trim()}
          action={action}
          onClose={() => ask(false)}
        >
          <TextField label={words.deleteName} value={typed} onValue={type} autocomplete="off" />
        </Confirm>
      ) : null}
    </section>
  );
}
