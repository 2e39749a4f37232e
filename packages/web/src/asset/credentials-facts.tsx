import { imageState } from '../certificate/answers.ts';
import { FactList } from '../ui/fact-list.tsx';
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
      <FactList
        facts={[
          [
            words.signer,
            trust?.signer === undefined ? undefined : (
              <>
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
              </>
            ),
          ],
          [words.uhash, uhash === undefined ? undefined : <Untrusted text={uhash} code />],
          [words.phash, phash === undefined ? undefined : <Untrusted text={phash} code />],
        ]}
      />
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
      <FactList
        facts={[
          [words.token, tokenId === undefined ? undefined : <Untrusted text={tokenId} code />],
          [
            words.transaction,
            transactionHash === undefined ? undefined : <Untrusted text={transactionHash} code />,
          ],
          [words.explorer, explorerUrl === undefined ? undefined : <UntrustedLink url={explorerUrl} />],
        ]}
      />
    </>
  );
}
