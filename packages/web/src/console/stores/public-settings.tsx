import type { PictureSettings, Store } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { hasPart } from '../../ui/page-data.ts';
import { useAction, useCall } from '../loading.ts';
import { CheckField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { ErrorNotice, Shown } from '../parts/notices.tsx';
import { useTools, useWords } from '../tools.ts';
import { webAddress } from '../web-address.ts';

/** What others are told of the store: whether its hosts are named, and what is said about its pictures. */
export function PublicSettings({ store }: { store: Store }) {
  const { publicSettings: words } = useWords();
  const hasSites = hasPart('sites');
  const hasPictures = hasPart('picture-matches');
  if (!hasSites && !hasPictures) return null;
  return (
    <section>
      <h2>{words.title}</h2>
      {hasSites ? <Named merchantId={store.merchantId} /> : null}
      {hasPictures ? <Pictures storeId={store.id} /> : null}
    </section>
  );
}

function Named({ merchantId }: { merchantId: string }) {
  const { client, announce } = useTools();
  const { publicSettings: words, saved } = useWords();
  const params = { merchant_id: merchantId };
  const loaded = useCall('getMerchantSites', { params });
  const action = useAction(async (optOut: boolean) => {
    loaded.replace(await client.call('setMerchantSites', { params, body: { optOut } }));
    announce(saved);
  });
  return (
    <Shown of={loaded}>
      {({ optOut }) => (
        <>
          <CheckField
            label={words.named}
            hint={words.namedHint}
            checked={!optOut}
            onValue={(named) => void action.run(!named)}
          />
          <ErrorNotice error={action.error} />
        </>
      )}
    </Shown>
  );
}

function Pictures({ storeId }: { storeId: string }) {
  const loaded = useCall('getPictureSettings', { params: { store_id: storeId } });
  return (
    <Shown of={loaded}>
      {(settings) => <PicturesForm storeId={storeId} settings={settings} onSettings={loaded.replace} />}
    </Shown>
  );
}

interface PicturesProps {
  readonly storeId: string;
  readonly settings: PictureSettings;
  readonly onSettings: (settings: PictureSettings) => void;
}

function PicturesForm({ storeId, settings, onSettings }: PicturesProps) {
  const { client, announce } = useTools();
  const { publicSettings: words, saved } = useWords();
  const [told, tell] = useState(settings.told);
  const [makersPictures, setMakers] = useState(settings.makersPictures);
  const [hosts, setHosts] = useState(settings.allowedHosts.join(' '));
  const [isAsked, ask] = useState(false);
  const names = hosts.split(/[\s,;]+/).filter((name) => name !== '');
  // a whole address names its host, too
  const allowedHosts = names.flatMap((name) => webAddress(name)?.hostname ?? []);
  const isWrong = allowedHosts.length < names.length || allowedHosts.length > 100;
  const action = useAction(async () => {
    const makersImages = [...settings.makersImages];
    const body = { told, makersPictures, makersImages, allowedHosts };
    const kept = await client.call('setPictureSettings', { params: { store_id: storeId }, body });
    setHosts(kept.allowedHosts.join(' '));
    onSettings(kept);
    announce(saved);
  });
  const submit = () => {
    ask(true);
    if (!isWrong) void action.run();
  };
  return (
    <Form action={action} label={words.save} onSubmit={submit}>
      <CheckField label={words.told} hint={words.toldHint} checked={told} onValue={tell} />
      <CheckField label={words.makers} hint={words.makersHint} checked={makersPictures} onValue={setMakers} />
      <TextField
        label={words.allowed}
        hint={words.allowedHint}
        isOptional
        value={hosts}
        onValue={setHosts}
        autocomplete="off"
        wrong={isAsked && isWrong ? words.allowedWrong : undefined}
      />
    </Form>
  );
}
