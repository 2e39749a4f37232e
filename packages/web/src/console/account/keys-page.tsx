import type { ApiKey, ApiKeyList } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { fill, Untrusted } from '../../ui/text.tsx';
import { useAction, useCall } from '../loading.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { At } from '../parts/display.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Empty, Shown } from '../parts/notices.tsx';
import { OfMerchant, useMerchantLine } from '../parts/of-merchant.tsx';
import { Page } from '../parts/page.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { useCaller, useFormat, useTools, useWords } from '../tools.ts';

/** The API keys of a merchant: creates them, shows each once, revokes them. */
export function KeysPage() {
  const { keys: words } = useWords();
  return (
    <Page title={words.title} intro={words.intro} of={useMerchantLine()}>
      <OfMerchant>{(id) => <Keys merchantId={id} />}</OfMerchant>
    </Page>
  );
}

function Keys({ merchantId }: { merchantId: string }) {
  const { client } = useTools();
  const { keys: words } = useWords();
  const [made, show] = useState<ApiKey>();
  const params = { merchant_id: merchantId };
  const loaded = useCall('listApiKeys', { params, query: { limit: 500 } });
  return (
    <>
      <MakeForm
        make={async (label) => {
          show(await client.call('createApiKey', { params, body: { label } }));
          loaded.reload();
        }}
      />
      {made === undefined ? null : (
        <SecretDialog
          title={words.made}
          body={words.madeBody}
          secret={made.key}
          onClose={() => show(undefined)}
        />
      )}
      <Shown of={loaded}>
        {({ keys }) =>
          keys.length === 0 ? (
            <Empty title={words.none} />
          ) : (
            <ul class="rows" aria-label={words.title}>
              {keys.map((key) => (
                <KeyRow key={key.id} apiKey={key} merchantId={merchantId} onChange={loaded.reload} />
              ))}
            </ul>
          )
        }
      </Shown>
    </>
  );
}

function MakeForm({ make }: { make: (label: string) => Promise<void> }) {
  const { keys: words } = useWords();
  const [label, setLabel] = useState('');
  const action = useAction(async () => {
    await make(label.trim());
    setLabel('');
  });
  return (
    <Form class="inline" action={action} label={words.make} onSubmit={action.run}>
      <TextField label={words.label} hint={words.labelHint} value={label} onValue={setLabel} isOptional />
    </Form>
  );
}

interface KeyProps {
  readonly apiKey: ApiKeyList['keys'][number];
  readonly merchantId: string;
  readonly onChange: () => void;
}

function KeyRow({ apiKey, merchantId, onChange }: KeyProps) {
  const { client, announce } = useTools();
  const { keys: words } = useWords();
  const { day } = useFormat();
  const { keyId } = useCaller();
  const { id, label, createdAt, lastUsedOn } = apiKey;
  const name = label === '' ? words.unnamed : label;
  const isOwn = id === keyId;
  const action = useAction(async () => {
    await client.call('revokeApiKey', { params: { merchant_id: merchantId, key_id: id } });
    announce(words.revoked);
    onChange();
  });
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <Untrusted text={name} />
        </span>
        <span class="row-detail">
          <At text={words.created} at={createdAt} /> ·{' '}
          {lastUsedOn === undefined ? words.unused : fill(words.used, { day: day(lastUsedOn) })}
          {isOwn ? ` · ${words.thisOne}` : ''}
        </span>
      </div>
      <div class="row-side">
        <ConfirmButton
          class="button small"
          aria-label={fill(words.revokeName, { label: name })}
          title={label === '' ? words.revokeUnnamed : fill(words.revokeTitle, { label })}
          body={isOwn ? `${words.revokeBody} ${words.revokeOwn}` : words.revokeBody}
          label={words.revoke}
          isDestructive
          action={action}
        />
      </div>
    </li>
  );
}
