import { Headline, stateOf } from '../certificate/headline.tsx';
import { SeeForYourself } from '../certificate/images.tsx';
import { Keep } from '../certificate/keep.tsx';
import { Picture } from '../certificate/picture.tsx';
import { nameIn } from '../certificate/product-page.tsx';
import { History, KeyFacts, Recorded } from '../certificate/proof-facts.tsx';
import { readClaims } from '../certificate/read-proof.ts';
import { Validity } from '../certificate/validity.tsx';
import { VerifyHere } from '../certificate/verify-here.tsx';
import { fill, useTexts } from '../ui/text.tsx';
import { CredentialsFacts } from './credentials-facts.tsx';
import { ImageFacts } from './image-facts.tsx';
import type { ImageView } from './image-view.ts';

interface AssetPageProps {
  readonly image: ImageView;
  readonly address: string;
  readonly baseUrl: string;
}

/** The page of an image's certificate. */
export function AssetPage({ image, address, baseUrl }: AssetPageProps) {
  const { asset: words } = useTexts();
  const { id, jwt, kind, domain, productId, pageUrl, document } = image;
  const proof = jwt === undefined ? null : readClaims(jwt);
  const now = Date.now();
  const state = stateOf(proof, now);
  const name = nameIn(proof);
  const { issuedAt, expiresAt } = proof ?? {};
  return (
    <article class="certificate" data-state={state}>
      <Headline
        state={state}
        kind={words.title}
        title={name === undefined ? fill(words.untitled, { site: domain ?? '' }) : fill(words.of, { name })}
        domain={domain}
        proof={proof}
      />
      <ImageFacts image={image} picture={<Picture file={image.file} alt={words.picture} />} />
      {proof === null ? null : (
        <>
          <CredentialsFacts image={image} />
          <VerifyHere document={document} kind={kind} issuer={baseUrl} pageUrl={pageUrl} />
          <See />
          {issuedAt === undefined || expiresAt === undefined ? null : (
            <Validity from={issuedAt} until={expiresAt} now={now} />
          )}
          <KeyFacts proof={proof} />
          <History issuedAt={issuedAt} domain={domain} />
        </>
      )}
      <Recorded url={pageUrl} domain={domain} productId={productId} claims={proof?.claims ?? {}} />
      <Keep address={address} link={baseUrl + address} fileName={`image-certificate-${id}.json`} />
    </article>
  );
}

function See() {
  const { images: words } = useTexts().certificate;
  return (
    <section aria-labelledby="see">
      <h2 id="see">{words.seeTitle}</h2>
      <SeeForYourself />
    </section>
  );
}
