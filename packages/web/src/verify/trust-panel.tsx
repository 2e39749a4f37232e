import { useState } from 'preact/hooks';
import { Fill, fill, Moment, plural, Untrusted, useSetting } from '../ui/text.tsx';
import { type IssuerFault, otherIssuerOf } from './other-issuers.ts';
import type { Verifier } from './use-verifier.ts';

/** The trusted issuers, and the age of their keys. */
export function TrustPanel({ verifier, issuer }: { verifier: Verifier; issuer: string }) {
  const { keys: words } = useSetting().texts.verify;
  const { ownKeys, others, fetchKeys, distrust, given } = verifier;
  return (
    <section class="trust" aria-labelledby="trust">
      <h2 id="trust">{words.title}</h2>
      <p>
        <Fill text={words.own} values={{ issuer: <Untrusted text={issuer} /> }} />
      </p>
      <KeysLine ownKeys={ownKeys} />
      <p>
        <button type="button" class="button" disabled={ownKeys === 'fetching'} onClick={fetchKeys}>
          {words.again}
        </button>
      </p>
      <details open={given.keys !== undefined || others.length > 0}>
        <summary>{words.others}</summary>
        <p>{words.othersIntro}</p>
        <ul class="plain">
          {others.map((one) => (
            <li key={one.issuer}>
              <Untrusted text={one.issuer} />{' '}
              <span class="small">
                <Fill text={words.pasted} values={{ when: <Moment at={one.pastedAt} /> }} />
              </span>{' '}
              <button type="button" class="button" onClick={() => distrust(one.issuer)}>
                {fill(words.remove, { issuer: one.issuer })}
              </button>
            </li>
          ))}
        </ul>
        <IssuerForm key={JSON.stringify(given.keys ?? null)} verifier={verifier} />
      </details>
    </section>
  );
}

/**
 * The number and age of the keys, or that there are none. One element that reserves its space: what it says may come late, and must
 * not move what is read by then.
 */
function KeysLine({ ownKeys }: Pick<Verifier, 'ownKeys'>) {
  const { language, texts } = useSetting();
  const { keys: words } = texts.verify;
  if (ownKeys === 'missing')
    return (
      <p class="small keys fault" role="alert">
        {words.missing}
      </p>
    );
  if (typeof ownKeys === 'string') return <p class="small keys" />;
  const when = ownKeys.at.toISOString();
  return (
    <p class="small keys" data-keys-of={when}>
      <Fill text={plural(language, words.asOf, ownKeys.count)} values={{ when: <Moment at={when} /> }} />{' '}
      {words.late}
    </p>
  );
}

function IssuerForm({ verifier: { given, trustIssuer } }: { verifier: Verifier }) {
  const { keys: words } = useSetting().texts.verify;
  const [address, setAddress] = useState('');
  const [jwks, setJwks] = useState(given.keys === undefined ? '' : JSON.stringify(given.keys));
  const [fault, setFault] = useState<IssuerFault | null>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const issuer = otherIssuerOf(address, jwks, new Date());
    if (typeof issuer === 'string') return setFault(issuer);
    setFault(null);
    setAddress('');
    setJwks('');
    trustIssuer(issuer);
  };
  return (
    <form onSubmit={submit} noValidate>
      {given.keys === undefined ? null : <p role="status">{words.found}</p>}
      <p>
        <label for="issuer">{words.issuer}</label>
        <input
          id="issuer"
          dir="ltr"
          inputMode="url"
          autocomplete="off"
          placeholder="https://certificates.example"
          value={address}
          aria-invalid={fault === 'badIssuer'}
          onInput={({ currentTarget }) => setAddress(currentTarget.value)}
        />
      </p>
      <p>
        <label for="jwks">{words.jwks}</label>
        <textarea
          id="jwks"
          rows={4}
          dir="ltr"
          spellcheck={false}
          value={jwks}
          aria-invalid={fault === 'badKeys'}
          onInput={({ currentTarget }) => setJwks(currentTarget.value)}
        />
      </p>
      {fault === null ? null : (
        <p role="alert" class="fault">
          {words[fault]}
        </p>
      )}
      <button type="submit" class="button">
        {words.add}
      </button>
    </form>
  );
}
