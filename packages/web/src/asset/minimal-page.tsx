import type { MinimalImageAnswer } from '../certificate/answers.ts';
import { Keep } from '../certificate/keep.tsx';
import { Untrusted, useTexts } from '../ui/text.tsx';

interface MinimalPageProps {
  readonly certificate: MinimalImageAnswer;
  readonly address: string;
  readonly baseUrl: string;
}

/** Shows that an image is certified, and for which sites; the full certificate with the proof is linked. */
export function MinimalPage({ certificate, address, baseUrl }: MinimalPageProps) {
  const { minimal: words } = useTexts().asset;
  const { imageId, verification } = certificate;
  const { authorizedDomains, domainVerified } = verification;
  const [path] = address.split('?');
  return (
    <article class="certificate" data-state="minimal">
      <header class="certificate-head">
        <h1>{words.title}</h1>
        <p class="lead">{words.text}</p>
        <p>
          <a class="button primary" href={`${path}?full=true`}>
            {words.full}
          </a>
        </p>
      </header>
      <section aria-labelledby="domains">
        <h2 id="domains">{words.domains}</h2>
        <ul>
          {authorizedDomains.map((domain) => (
            <li key={domain}>
              <Untrusted text={domain} />
            </li>
          ))}
        </ul>
        <p class="small">{domainVerified ? words.proven : words.unproven}</p>
      </section>
      <Keep address={address} link={baseUrl + address} fileName={`image-certificate-${imageId}.json`} />
    </article>
  );
}
