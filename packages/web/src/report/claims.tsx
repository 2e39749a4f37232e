import type { PageReport } from '@touchstone/contract';
import { Fill, Untrusted, UntrustedLink, useTexts } from '../ui/text.tsx';

type Claim = NonNullable<PageReport['claims']>[number];

/** What the page says that others certify. Placed after all that was verified, and never marked like a check. */
export function Claims({ claims = [] }: { readonly claims: PageReport['claims'] }) {
  const { claims: words } = useTexts().report;
  if (claims.length === 0) return null;
  return (
    <section class="claims" aria-labelledby="claims">
      <h2 id="claims">{words.title}</h2>
      <p>{words.intro}</p>
      <ul>
        {claims.map((claim, index) => (
          <li key={index} data-claim={claim.kind}>
            <ClaimText claim={claim} />
          </li>
        ))}
      </ul>
      <p class="small">{words.next}</p>
    </section>
  );
}

function ClaimText({ claim: { kind, name, id, issuer, url } }: { readonly claim: Claim }) {
  const { claims: words } = useTexts().report;
  const by = [issuer?.name, issuer?.id].filter((one) => one !== undefined);
  return (
    <>
      <p>
        {words.kinds[kind]}
        {name === undefined ? null : (
          <>
            {': '}
            <Untrusted text={name} />
          </>
        )}
      </p>
      {by.length === 0 && kind !== 'digital_link' ? <p class="small">{words.nobody}</p> : null}
      {by.length === 0 ? null : (
        <p class="small">
          <Fill text={words.issuer} values={{ issuer: <Untrusted text={by.join(', ')} /> }} />
        </p>
      )}
      {id === undefined || id === url ? null : (
        <p class="small">
          <Fill text={words.number} values={{ number: <Untrusted text={id} code /> }} />
        </p>
      )}
      {url === undefined ? null : (
        <p class="small">
          <Fill text={words.link} values={{ link: <UntrustedLink url={url} /> }} />
        </p>
      )}
    </>
  );
}
