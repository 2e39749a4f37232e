import { CopyButton, KeepActions } from '../ui/keep.tsx';
import { useTexts } from '../ui/text.tsx';

interface KeepProps {
  /** Path and query of the JSON response at this address. */
  readonly address: string;
  readonly link: string;
  readonly fileName: string;
  /** The certificate, if pages may embed it. */
  readonly document?: object;
}

/** Copies or downloads the certificate: its document, its block for a page, its link. */
export function Keep({ address, link, fileName, document }: KeepProps) {
  const { keep: words } = useTexts().certificate;
  return (
    <section class="keep" aria-labelledby="keep">
      <h2 id="keep">{words.title}</h2>
      <KeepActions link={link} copyLabel={words.copyLink}>
        <button type="button" class="button" onClick={() => void download(address, fileName)}>
          {words.json}
        </button>
        {document === undefined ? null : (
          <CopyButton
            text={async () => (await import('@touchstone/certificate/embed')).certificateScript(document)}
          >
            {words.copy}
          </CopyButton>
        )}
      </KeepActions>
      {document === undefined ? null : <p class="small">{words.copyNote}</p>}
      <p class="small permalink-line">
        {words.link}: <a href={address}>{link}</a>
      </p>
    </section>
  );
}

/** Downloads the bytes of the JSON response, not the version parsed by this page. */
async function download(address: string, fileName: string): Promise<void> {
  const answer = await fetch(address, { headers: { accept: 'application/ld+json, application/json' } });
  const url = URL.createObjectURL(await answer.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
