import { useState } from 'preact/hooks';
import type { QrCodePath } from '../ui/qr-code.ts';
import { QrPicture } from '../ui/qr-picture.tsx';
import { useTexts } from '../ui/text.tsx';

/** A result to keep: its link, the same as a picture, and on paper. */
export function Keep({ id, baseUrl }: { id: string; baseUrl: string }) {
  const { check: words, common } = useTexts();
  const [isCopied, setCopied] = useState(false);
  const [code, setCode] = useState<QrCodePath | null>(null);
  const link = `${baseUrl}/api/v1/mc4p/page-checks/${id}`;
  const copy = async () => {
    await navigator.clipboard.writeText(link).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <section class="keep" aria-labelledby="keep">
      <h2 id="keep">{words.share}</h2>
      <p>
        <label for="permalink">{words.permalink}</label>
        <input
          id="permalink"
          class="permalink"
          readOnly
          value={link}
          dir="ltr"
          onFocus={(event) => event.currentTarget.select()}
        />
      </p>
      <p class="small">{words.permalinkNote}</p>
      <div class="actions">
        <button type="button" class="button" onClick={copy}>
          <span aria-live="polite">{isCopied ? common.copied : common.copy}</span>
        </button>
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
    </section>
  );
}
