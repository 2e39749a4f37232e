import type { SigningKeyView } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { fill } from '../../ui/text.tsx';
import { useAction, useCall } from '../loading.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Moments, type Standing, State } from '../parts/display.tsx';
import { TextField } from '../parts/fields.tsx';
import { Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { useFormat, useTools, useWords } from '../tools.ts';

const STANDINGS: Readonly<Record<SigningKeyView['state'], Standing>> = {
  standby: 'working',
  active: 'good',
  retired: 'off',
  revoked: 'bad',
};

/** All signing keys, present and former, the latest first. */
export function SigningKeysPage() {
  const { signingKeys: words } = useWords();
  const loaded = useCall('listSigningKeys', {});
  return (
    <Page title={words.title} intro={words.intro}>
      <Shown of={loaded}>
        {({ keys }) => (
          <ul class="rows" aria-label={words.title}>
            {keys.toReversed().map((key) => (
              <KeyRow key={key.kid} signingKey={key} onChange={loaded.reload} />
            ))}
          </ul>
        )}
      </Shown>
    </Page>
  );
}

/** Number of the key's last characters to be typed as confirmation, against revoking it by mistake. */
const CONFIRMED_BY = 6;

function KeyRow({ signingKey, onChange }: { signingKey: SigningKeyView; onChange: () => void }) {
  const { client, announce } = useTools();
  const { signingKeys: words, operator } = useWords();
  const { count } = useFormat();
  const [typed, type] = useState('');
  const { kid, purpose, state, publishedAt, activeFrom, retiredAt, revokedAt, certificates = 0 } = signingKey;
  const reissued = certificates === 0 ? [] : [count(words.revokeReissued, certificates)];
  const action = useAction(async () => {
    await client.call('revokeSigningKey', { params: { kid } });
    announce(words.revoked);
    onChange();
  });
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <code>{kid}</code>
        </span>
        <span class="row-detail">{operator.purposes[purpose]}</span>
        <span class="row-detail">
          <Moments
            moments={[
              [words.published, publishedAt],
              [words.activeFrom, activeFrom],
              [words.retiredAt, retiredAt],
              [words.revokedAt, revokedAt],
            ]}
          />
        </span>
      </div>
      <div class="row-side">
        <State standing={STANDINGS[state]} label={words.states[state]} />
        {state === 'revoked' ? null : (
          <ConfirmButton
            class="button small"
            aria-label={`${words.revoke}: ${kid}`}
            title={fill(words.revokeTitle, { kid })}
            body={[words.revokeBody[purpose], ...reissued, words.revokeTyped].join(' ')}
            label={words.revoke}
            isDestructive
            isReady={typed.trim() === kid.slice(-CONFIRMED_BY)}
            action={action}
          >
            <TextField label={words.revokeConfirm} value={typed} onValue={type} autocomplete="off" />
          </ConfirmButton>
        )}
      </div>
    </li>
  );
}
