import { Fill, Untrusted, UntrustedLink, useTexts } from '../ui/text.tsx';
import { certifiedFile, type ImageEntry, imageState } from './answers.ts';
import { Picture } from './picture.tsx';

/** A public tool of a third party; named without a link, so that users know where they go. */
const PUBLIC_TOOL = 'contentcredentials.org/verify';

/** The images of a product, each with the C2PA data of its file. Pictures are loaded from this service only. */
export function CertifiedImages({ images }: { images: readonly ImageEntry[] }) {
  const { images: words } = useTexts().certificate;
  return (
    <>
      <ul class="image-list">
        {images.map((image) => (
          <ImageItem key={image.certification['svc:assetId']} image={image} />
        ))}
      </ul>
      <h3>{words.seeTitle}</h3>
      <SeeForYourself />
    </>
  );
}

function ImageItem({ image }: { image: ImageEntry }) {
  const { images: words } = useTexts().certificate;
  const { contentUrl, encodingFormat, certification } = image;
  const credentials = certification['svc:contentCredentials'];
  const state = imageState(credentials);
  const file = certifiedFile(credentials, encodingFormat);
  const page = certification.url === undefined ? undefined : ownPath(certification['svc:assetId']);
  return (
    <li data-state={state}>
      <Picture file={file} alt="" />
      <div>
        <p class="image-state">
          <StateMark isGood={state === 'certified'} />
          {words.states[state]}
        </p>
        <p class="small">
          {words.atShop}: <UntrustedLink url={contentUrl} />
        </p>
        {credentials?.hashes === undefined ? null : (
          <p class="small hash">
            {words.hash}: <Untrusted text={credentials.hashes.uhash} code />
          </p>
        )}
        <p class="links">
          {page === undefined ? null : <a href={page}>{words.page}</a>}
          {file === undefined ? null : <a href={file}>{words.file}</a>}
        </p>
      </div>
    </li>
  );
}

/** The path in the certificate's address; it works under every host name of the service. */
function ownPath(assetId: string): string {
  return `/api/v1/mc4p/assets/${encodeURIComponent(assetId)}/certificate`;
}

export function SeeForYourself() {
  const { images: words } = useTexts().certificate;
  return (
    <>
      <ol>
        {words.see.map((step) => (
          <li key={step}>
            <Fill text={step} values={{ tool: <code>{PUBLIC_TOOL}</code> }} />
          </li>
        ))}
      </ol>
      <p>
        <a class="button" href="/verify">
          {words.openVerifier}
        </a>
      </p>
    </>
  );
}

/** A square with a tick, or an empty one. */
function StateMark({ isGood }: { isGood: boolean }) {
  return (
    <svg
      class="state-mark"
      viewBox="0 0 18 18"
      data-kind={isGood ? 'certified' : 'other'}
      aria-hidden="true"
      focusable="false"
    >
      <rect x="1" y="1" width="16" height="16" />
      {isGood ? <path d="m5 9 3 3 5-6" /> : null}
    </svg>
  );
}
