import { KeepActions } from '../ui/keep.tsx';
import { useTexts } from '../ui/text.tsx';

/** Ways to keep a result: its link, a QR code, and printing. */
export function Keep({ id, baseUrl }: { id: string; baseUrl: string }) {
  const { check: words, common } = useTexts();
  const link = `${baseUrl}/api/v1/mc4p/page-checks/${id}`;
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
      <KeepActions link={link} copyLabel={common.copy} />
    </section>
  );
}
