import { imageState } from '../certificate/answers.ts';
import { Term } from '../report/signed.tsx';
import { Fill, Untrusted, UntrustedLink, useTexts } from '../ui/text.tsx';
import type { ImageView } from './image-view.ts';

/** The C2PA data in the file itself, and what it proves. */
export function CredentialsFacts({ image }: { image: ImageView }) {
  const { asset, certificate } = useTexts();
  const { credentials: words } = asset;
  const { credentials, trust, nft } = image;
  const state = imageState(credentials);
  const { uhash, phash } = credentials?.hashes ?? {};
  return (
    <section aria-labelledby="credentials">
      <h2 id="credentials">{words.title}</h2>
      <p class="credentials-state" data-state={state}>
        <strong>{state === 'certified' ? words.valid : certificate.images.states[state]}</strong>
      </p>
      <dl class="terms">
        {trust?.signer === undefined ? null : (
          <Term name={words.signer}>
            <Untrusted text={trust.signer} />
            <p class="small">
              <Fill
                text={words.trust[trust.status]}
                values={{
                  list: <Untrusted text={trust.trustList ?? ''} />,
                  date: <Untrusted text={trust.trustListDate ?? ''} />,
                }}
              />
            </p>
          </Term>
        )}
        {uhash === undefined ? null : (
          <Term name={words.uhash}>
            <Untrusted text={uhash} code />
          </Term>
        )}
        {phash === undefined ? null : (
          <Term name={words.phash}>
            <Untrusted text={phash} code />
          </Term>
        )}
      </dl>
      <p class="small">{words.meaning}</p>
      {nft === undefined ? null : <Nft nft={nft} />}
    </section>
  );
}

function Nft({ nft }: { nft: NonNullable<ImageView['nft']> }) {
  const { nft: words } = useTexts().asset;
  const { description, tokenId, transactionHash, explorerUrl } = nft;
  return (
    <>
      <h3>{words.title}</h3>
      <p>
        <Untrusted text={description} />
      </p>
      <dl class="terms">
        {tokenId === undefined ? null : (
          <Term name={words.token}>
            <Untrusted text={tokenId} code />
          </Term>
        )}
        {transactionHash === undefined ? null : (
          <Term name={words.transaction}>
            <Untrusted text={transactionHash} code />
          </Term>
        )}
        {explorerUrl === undefined ? null : (
          <Term name={words.explorer}>
            <UntrustedLink url={explorerUrl} />
          </Term>
        )}
      </dl>
    </>
  );
}
