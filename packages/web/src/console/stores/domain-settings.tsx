import type { DomainView, Store } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { domainLogPath } from '../../ui/log-paths.ts';
import { hasPart } from '../../ui/page-data.ts';
import { fill, Untrusted } from '../../ui/text.tsx';
import { useAction, useLoad } from '../loading.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { type Standing, State } from '../parts/display.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { ErrorNotice } from '../parts/notices.tsx';
import { href } from '../routes.ts';
import { useFormat, useTools, useWords } from '../tools.ts';
import { webAddress } from '../web-address.ts';

/** The hosts of a store: shows which are proven, adds and removes hosts. */
export function DomainSettings({ store, onChange }: { store: Store; onChange: () => void }) {
  const { client } = useTools();
  const { settings: words, required } = useWords();
  const [hostname, setHostname] = useState('');
  const [isAsked, ask] = useState(false);
  // a whole address, such as one from the address bar, names its host
  const host = webAddress(hostname)?.hostname;
  const action = useAction(async () => {
    await client.call('addDomain', { params: { store_id: store.id }, body: { hostname: host ?? '' } });
    setHostname('');
    ask(false);
    onChange();
  });
  const submit = () => {
    ask(true);
    if (host !== undefined) void action.run();
  };
  const wrong = hostname.trim() === '' ? required : host === undefined ? words.hostnameWrong : undefined;
  return (
    <section>
      <h2>{words.domains}</h2>
      <ul class="rows">
        {store.domains.map((domain) => (
          <DomainRow key={domain.hostname} store={store} domain={domain} onChange={onChange} />
        ))}
      </ul>
      <Form action={action} label={words.addDomain} onSubmit={submit}>
        <TextField
          label={words.hostname}
          hint={words.hostnameHint}
          value={hostname}
          onValue={setHostname}
          inputMode="url"
          wrong={isAsked ? wrong : undefined}
        />
      </Form>
    </section>
  );
}

function DomainRow({ store, domain, onChange }: { store: Store; domain: DomainView; onChange: () => void }) {
  const { client } = useTools();
  const { settings: words } = useWords();
  const { moment } = useFormat();
  const { hostname, verified, missing, lostAt } = domain;
  const action = useAction(async () => {
    await client.call('removeDomain', { params: { store_id: store.id, hostname } });
    onChange();
  });
  const isProven = verified && missing === undefined;
  const standing: Standing = isProven ? 'good' : verified || lostAt !== undefined ? 'bad' : 'open';
  const notProven = lostAt === undefined ? words.notProven : fill(words.lostAt, { time: moment(lostAt) });
  const label = isProven ? words.proven : verified ? words.missing : notProven;
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <Untrusted text={hostname} />
        </span>
        {isProven ? null : (
          <a href={href('guide', { storeId: store.id }, { step: 'domain' })}>{words.prove}</a>
        )}
        {missing === undefined ? null : (
          <p class="hint">{fill(words.provenUntil, { time: moment(missing.until) })}</p>
        )}
        <Checks storeId={store.id} hostname={hostname} />
        {hasPart('transparency-log') ? (
          <a href={domainLogPath(hostname)}>{fill(words.issued, { hostname })}</a>
        ) : null}
      </div>
      <div class="row-side">
        <State standing={standing} label={label} />
        <ConfirmButton
          class="button small"
          aria-label={fill(words.removeName, { hostname })}
          title={fill(words.removeTitle, { hostname })}
          body={words.removeBody}
          label={words.remove}
          isDestructive
          action={action}
        />
      </div>
    </li>
  );
}

/** The last checks of the proof, loaded when they are opened. */
function Checks({ storeId, hostname }: { storeId: string; hostname: string }) {
  const { client } = useTools();
  const { settings: words } = useWords();
  const { moment } = useFormat();
  const [isOpen, open] = useState(false);
  const checks = useLoad(
    async () =>
      isOpen
        ? await client.call('listDomainChecks', {
            params: { store_id: storeId, hostname },
            query: { limit: 10 },
          })
        : undefined,
    [storeId, hostname, isOpen],
  );
  const list = checks.value?.checks;
  return (
    <details onToggle={(event) => open((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>{fill(words.history, { hostname })}</summary>
      <ErrorNotice error={checks.error} />
      {list?.length === 0 ? <p class="hint">{words.noChecks}</p> : null}
      <ul>
        {list?.map(({ checkedAt, outcome }) => (
          <li key={checkedAt}>
            {moment(checkedAt)}: {words.checkOutcome[outcome]}
          </li>
        ))}
      </ul>
    </details>
  );
}
