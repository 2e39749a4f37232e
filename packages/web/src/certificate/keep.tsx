import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { QrCodePath } from '../ui/qr-code.ts';
import { QrPicture } from '../ui/qr-picture.tsx';
import { useTexts } from '../ui/text.tsx';

interface KeepProps {
  /** Of a program's answer at this address: path and query. */
  readonly address: string;
  readonly link: string;
  readonly fileName: string;
  /** Of a certificate that a page may carry. */
  readonly document?: object;
}

/** What to take away of a certificate: its document, the block for a page, its link. */
export function Keep({ address, link, fileName, document }: KeepProps) {
  const { keep: words } = useTexts().certificate;
  const [code, setCode] = useState<QrCodePath | null>(null);
  return (
    <section class="keep" aria-labelledby="keep">
      <h2 id="keep">{words.title}</h2>
      <div class="actions">
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
        <CopyButton text={async () => link}>{words.copyLink}</CopyButton>
        <button type="button" class="button" onClick={() => print()}>
          {words.print}
        </button>
        <button
          type="button"
          class="button"
          aria-expanded={code !== null}
          onClick={async () =>
            setCode(code === null ? (await import('../ui/qr-code.ts')).qrCodeOf(link) : null)
          }
        >
          {words.qr}
        </button>
      </div>
      {code === null ? null : <QrPicture code={code} label={words.qr} />}
      {document === undefined ? null : <p class="small">{words.copyNote}</p>}
      <p class="small permalink-line">
        {words.link}: <a href={address}>{link}</a>
      </p>
    </section>
  );
}

function CopyButton({ text, children }: { text: () => Promise<string>; children: ComponentChildren }) {
  const { keep: words } = useTexts().certificate;
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(await text()).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <button type="button" class="button" onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? words.copied : children}</span>
    </button>
  );
}

/** The bytes that a program is answered, not what this page made of them. */
async function download(address: string, fileName: string): Promise<void> {
  const answer = await fetch(address, { headers: { accept: 'application/ld+json, application/json' } });
  const url = URL.createObjectURL(await answer.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
