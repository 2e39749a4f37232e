import { fill, useTexts } from '../ui/text.tsx';
import type { ProductAnswer, ProductCertificate } from './answers.ts';
import { Coverage } from './coverage.tsx';
import { Headline, stateOf } from './headline.tsx';
import { CertifiedImages } from './images.tsx';
import { Keep } from './keep.tsx';
import { History, KeyFacts, Recorded } from './proof-facts.tsx';
import { type ClaimedProof, readClaims } from './read-proof.ts';
import { Validity } from './validity.tsx';
import { VerifyHere } from './verify-here.tsx';

interface ProductPageProps {
  readonly certificate: ProductAnswer;
  readonly address: string;
  readonly baseUrl: string;
}

/** The page of a product's certificate; data of its proof is shown as claims until it is verified here. */
export function ProductPage({ certificate, address, baseUrl }: ProductPageProps) {
  const proof = 'proof' in certificate ? readClaims(certificate.proof.jwt) : null;
  const now = Date.now();
  const { certificate: words } = useTexts();
  const { productID: id, url } = certificate;
  const { domain } = certificate['svc:issuedFor'];
  const isFull = 'proof' in certificate;
  const state = stateOf(proof, now);
  return (
    <article class="certificate" data-state={state}>
      <Headline
        state={state}
        kind={words.product}
        title={nameIn(proof) ?? fill(words.untitled, { site: domain })}
        domain={domain}
        proof={proof}
      />
      {isFull && proof !== null ? (
        <Signed certificate={certificate} proof={proof} now={now} baseUrl={baseUrl} />
      ) : null}
      <Recorded url={url} domain={domain} productId={id} claims={proof?.claims ?? {}} />
      <Keep
        address={address}
        link={baseUrl + address}
        fileName={`certificate-${id}.json`}
        {...(isFull ? { document: certificate } : {})}
      />
      {isFull ? null : <CheckShop url={url} />}
    </article>
  );
}

interface SignedProps {
  readonly certificate: ProductCertificate;
  readonly proof: ClaimedProof;
  readonly now: number;
  readonly baseUrl: string;
}

function Signed({ certificate, proof, now, baseUrl }: SignedProps) {
  const { certificate: words } = useTexts();
  const { issuedAt, expiresAt } = proof;
  return (
    <>
      {issuedAt === undefined || expiresAt === undefined ? null : (
        <Validity from={issuedAt} until={expiresAt} now={now} />
      )}
      <section aria-labelledby="coverage">
        <h2 id="coverage">{words.coverage.title}</h2>
        <Coverage counts={certificate['svc:trust']} />
      </section>
      <VerifyHere document={certificate} kind="product" issuer={baseUrl} pageUrl={certificate.url} />
      {certificate['svc:images'].length === 0 ? null : (
        <section aria-labelledby="images">
          <h2 id="images">{words.images.title}</h2>
          <CertifiedImages images={certificate['svc:images']} />
        </section>
      )}
      <KeyFacts proof={proof} />
      <History issuedAt={issuedAt} domain={certificate['svc:issuedFor'].domain} />
    </>
  );
}

function CheckShop({ url }: { url: string }) {
  const { here: words } = useTexts().certificate;
  return (
    <p>
      <a class="button" href={`/check?url=${encodeURIComponent(url)}`}>
        {words.checkPage}
      </a>
    </p>
  );
}

/** The certificate itself has no product name; its proof has. */
export function nameIn(proof: ClaimedProof | null): string | undefined {
  const name = proof?.claims.productName;
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}
