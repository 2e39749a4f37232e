import type { Store } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { useAction } from '../loading.ts';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Submit } from '../parts/form.tsx';
import { type ChosenMerchant, MerchantField } from '../parts/merchant-field.tsx';
import { ErrorNotice } from '../parts/notices.tsx';
import { useMerchantId } from '../parts/of-merchant.tsx';
import { Page } from '../parts/page.tsx';
import { href } from '../routes.ts';
import { useTools, useWords } from '../tools.ts';
import { webAddress } from '../web-address.ts';

/** The first step: the shop's address and platform. */
export function NewStorePage() {
  const words = useWords();
  return (
    <Page title={words.newStore.title} intro={words.newStore.intro}>
      <StoreForm own={useMerchantId()} />
    </Page>
  );
}

/** @param own - the merchant of the new store, if known */
function StoreForm({ own }: { own: string | undefined }) {
  const { client, navigation } = useTools();
  const { newStore: words, platforms, required } = useWords();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [platform, setPlatform] = useState<Store['platform']>('custom');
  const [chosen, choose] = useState<ChosenMerchant>();
  const [isAsked, ask] = useState(false);
  const merchantId = own ?? chosen?.id;
  const address = webAddress(url);
  const shownName = name.trim() === '' ? (address?.hostname ?? '') : name.trim();
  const action = useAction(async () => {
    const body = { merchantId: merchantId ?? '', name: shownName, url: address?.href ?? '', platform };
    const { id } = await client.call('createStore', { body });
    navigation.go(href('guide', { storeId: id }));
  });
  const submit = (event: Event) => {
    event.preventDefault();
    ask(true);
    if (address !== undefined && merchantId !== undefined) void action.run();
  };
  const wrong = !isAsked || address !== undefined ? undefined : url.trim() === '' ? required : words.urlWrong;
  return (
    <form onSubmit={submit} noValidate>
      {own !== undefined ? null : <MerchantField chosen={chosen} onChosen={choose} isMissing={isAsked} />}
      <TextField
        label={words.url}
        hint={words.urlHint}
        value={url}
        onValue={setUrl}
        inputMode="url"
        autocomplete="url"
        wrong={wrong}
      />
      <TextField label={words.name} value={name} onValue={setName} autocomplete="organization" isOptional />
      <SelectField
        label={words.platform}
        hint={words.platformHint}
        value={platform}
        onValue={setPlatform}
        options={[
          ['woocommerce', platforms.woocommerce],
          ['shopify', platforms.shopify],
          ['custom', platforms.custom],
        ]}
      />
      <ErrorNotice error={action.error} />
      {action.error?.storeId === undefined ? null : (
        <p>
          <a href={href('guide', { storeId: action.error.storeId })}>{words.existing}</a>
        </p>
      )}
      <Submit label={words.submit} isBusy={action.isBusy} />
    </form>
  );
}
