import { FactList } from '../ui/fact-list.tsx';
import { domainLogPath } from '../ui/log-paths.ts';
import { hasPart } from '../ui/page-data.ts';
import { Fill, Moment, Untrusted, UntrustedLink, useTexts } from '../ui/text.tsx';
import { KEYS_PATH } from '../verify/offline.ts';
import type { ClaimedProof } from './read-proof.ts';

/** The key that signed the proof, and the address of the public key. */
export function KeyFacts({ proof: { kid, algorithm, claims } }: { proof: ClaimedProof }) {
  const { key: words } = useTexts().certificate;
  return (
    <section aria-labelledby="key">
      <h2 id="key">{words.title}</h2>
      <p>{words.intro}</p>
      <FactList
        facts={[
          [words.kid, <Untrusted text={kid} code />],
          [words.algorithm, <Untrusted text={algorithm} code />],
          [words.issuer, <Untrusted text={String(claims.iss ?? '')} />],
        ]}
      />
      <p>
        <a href={KEYS_PATH}>{words.jwks}</a>
      </p>
    </section>
  );
}

/** The current proof, and where the times of earlier ones are. */
export function History({ issuedAt, domain }: { issuedAt: number | undefined; domain: string | undefined }) {
  const { history: words } = useTexts().certificate;
  return (
    <section aria-labelledby="history">
      <h2 id="history">{words.title}</h2>
      {issuedAt === undefined ? null : (
        <p>
          <Fill text={words.current} values={{ when: <Moment at={new Date(issuedAt).toISOString()} /> }} />
        </p>
      )}
      <p class="small">{words.text}</p>
      {domain !== undefined && hasPart('transparency-log') ? (
        <p>
          <a href={domainLogPath(domain)}>
            <Fill text={words.log} values={{ site: <Untrusted text={domain} /> }} />
          </a>
        </p>
      ) : null}
    </section>
  );
}

interface RecordedProps {
  /** Page for which it was issued. */
  readonly url: string | undefined;
  readonly domain: string | undefined;
  readonly productId: string | undefined;
  readonly claims: ClaimedProof['claims'];
}

/** The recorded data of shop and product, as the shop stated it; only a proof has names. */
export function Recorded({ url, domain, productId, claims }: RecordedProps) {
  const { certificate, report } = useTexts();
  const { facts: words } = certificate;
  const { productName, storeName, externalProductId } = claims;
  const stated = (value: unknown) =>
    typeof value === 'string' && value !== '' ? <Untrusted text={value} /> : undefined;
  return (
    <section aria-labelledby="recorded">
      <h2 id="recorded">{words.title}</h2>
      <FactList
        facts={[
          [words.product, stated(productName)],
          [words.store, stated(storeName)],
          [words.domain, stated(domain)],
          [words.productId, stated(productId)],
          [words.externalProductId, stated(externalProductId)],
          [words.page, url === undefined ? undefined : <UntrustedLink url={url} />],
        ]}
      />
      {storeName === undefined ? null : <p class="small">{report.signed.ownWords}</p>}
    </section>
  );
}
