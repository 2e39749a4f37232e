import type { HostStatementCode, HostStatements, Store } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { hasPart } from '../../ui/page-data.ts';
import { fill, Untrusted, useTexts } from '../../ui/text.tsx';
import { useAction, useCall } from '../loading.ts';
import { SelectField, TextField } from '../parts/fields.tsx';
import { ActionButton, Form } from '../parts/form.tsx';
import { ErrorNotice, Shown } from '../parts/notices.tsx';
import { useTools, useWords } from '../tools.ts';
import { webAddress } from '../web-address.ts';

/** What the merchant states about its proven hosts, towards shops that they are like. */
export function HostStatementSettings({ store }: { store: Store }) {
  const { hostStatements: words } = useWords();
  const proven = store.domains.filter(({ verified }) => verified);
  if (!hasPart('copies') || proven.length === 0) return null;
  return (
    <section>
      <h2>{words.title}</h2>
      <p>{words.intro}</p>
      {proven.map(({ hostname }) => (
        <OfHost key={hostname} merchantId={store.merchantId} hostname={hostname} />
      ))}
    </section>
  );
}

interface OfHostProps {
  readonly merchantId: string;
  readonly hostname: string;
}

function OfHost({ merchantId, hostname }: OfHostProps) {
  const { hostStatements: words } = useWords();
  const loaded = useCall('getHostStatements', { params: { merchant_id: merchantId, hostname } });
  return (
    <details>
      <summary>{fill(words.ofHost, { hostname })}</summary>
      <Shown of={loaded}>
        {({ statements }) => (
          <Statements
            merchantId={merchantId}
            hostname={hostname}
            statements={statements}
            onStatements={loaded.replace}
          />
        )}
      </Shown>
    </details>
  );
}

interface StatementsProps extends OfHostProps {
  readonly statements: HostStatements['statements'];
  readonly onStatements: (kept: HostStatements) => void;
}

const CODES: readonly HostStatementCode[] = [
  'own_shop',
  'authorised_reseller',
  'pictures_licensed',
  'makers_pictures',
  'own_name',
];

function Statements({ merchantId, hostname, statements, onStatements }: StatementsProps) {
  const { client, announce } = useTools();
  const { hostStatements: words, settings, required, saved } = useWords();
  const { hostStatements: sentences } = useTexts();
  const [about, setAbout] = useState('');
  const [says, say] = useState<HostStatementCode>('own_shop');
  const [isAsked, ask] = useState(false);
  const host = webAddress(about)?.hostname;
  const action = useAction(async (wanted: StatementsProps['statements'] | { about: string }) => {
    const others = statements.map((one) => ({ about: one.about, says: one.says }));
    const body = {
      statements:
        'about' in wanted
          ? [...others.filter((one) => one.about !== wanted.about), { about: wanted.about, says }]
          : wanted.map((one) => ({ about: one.about, says: one.says })),
    };
    const params = { merchant_id: merchantId, hostname };
    onStatements(await client.call('setHostStatements', { params, body }));
    setAbout('');
    ask(false);
    announce(saved);
  });
  const submit = () => {
    ask(true);
    if (host !== undefined) void action.run({ about: host });
  };
  const wrong = about.trim() === '' ? required : host === undefined ? settings.hostnameWrong : undefined;
  return (
    <>
      {statements.length === 0 ? null : (
        <ul class="rows">
          {statements.map((one) => (
            <li class="row" key={one.about}>
              <div class="row-main">
                <span class="row-title">
                  <Untrusted text={one.about} />
                </span>
                <p>{sentences[one.says]}</p>
                <p class="hint">{one.confirmed ? words.confirmed : words.unconfirmed}</p>
              </div>
              <div class="row-side">
                <ActionButton
                  isSmall
                  label={settings.remove}
                  isBusy={action.isBusy}
                  run={() => action.run(statements.filter(({ about: other }) => other !== one.about))}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <ErrorNotice error={action.error} />
      <Form action={{ isBusy: action.isBusy }} label={words.add} onSubmit={submit}>
        <TextField
          label={words.about}
          hint={words.aboutHint}
          value={about}
          onValue={setAbout}
          inputMode="url"
          autocomplete="off"
          wrong={isAsked ? wrong : undefined}
        />
        <SelectField
          label={words.says}
          value={says}
          onValue={say}
          options={CODES.map((code) => [code, sentences[code]] as const)}
        />
      </Form>
    </>
  );
}
