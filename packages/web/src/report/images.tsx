import type { PageReport } from '@touchstone/contract';
import type { ComponentChildren } from 'preact';
import { plural, Untrusted, UntrustedLink, useSetting } from '../ui/text.tsx';
import { parseNote } from './notes.ts';

interface ImageView {
  readonly url: string;
  /** Code of the finding; absent if it was not compared. */
  readonly found?: string;
}

/**
 * The images of a page, each with its finding; `children` are actions while that is unknown. Only their addresses are shown: showing the
 * images would send requests to the shop.
 */
export function Images({ report, children }: { report: PageReport; children?: ComponentChildren }) {
  const { language, texts, known } = useSetting();
  const { images: words } = texts.report;
  const found: Readonly<Record<string, string>> = words.found;
  const images = imagesOf(report, known);
  const areNotCompared = report.findings.some((entry) => entry.startsWith('images_not_compared:'));
  // those of a page without a certificate, with any that are certified: told among the findings
  const areKnown = report.findings.some((entry) => entry.startsWith('pictures_'));
  return (
    <section aria-labelledby="images">
      <h2 id="images">{words.title}</h2>
      <p class="small">{images.length === 0 ? words.none : plural(language, words.count, images.length)}</p>
      <ul class="images">
        {images.map((image) => (
          <li key={image.url} data-found={image.found}>
            <UntrustedLink url={image.url} label={fileNameOf(image.url)} />
            {image.found === undefined ? null : (
              <p>{found[image.found] ?? <Untrusted text={image.found} />}</p>
            )}
          </li>
        ))}
      </ul>
      {areNotCompared ? <p>{texts.pageCodes.images_not_compared}</p> : areKnown ? null : children}
    </section>
  );
}

/** @param known - the English sentences of findings */
export function imagesOf(report: PageReport, known: Readonly<Record<string, string>>): ImageView[] {
  const found = new Map<string, string>();
  for (const entry of report.findings) {
    const { code, detail } = parseNote(entry, known);
    if (/^image_(?!address)/.test(code) && detail !== undefined) found.set(detail, code);
  }
  return [...new Set(report.facts.images.map(({ value }) => value))].map((url) => {
    const code = found.get(url);
    return code === undefined ? { url } : { url, found: code };
  });
}

export function fileNameOf(url: string): string {
  const { pathname = '', hostname = '' } = URL.parse(url) ?? {};
  const name = pathname.split('/').at(-1) ?? '';
  return name === '' ? url : `${name} (${hostname})`;
}
