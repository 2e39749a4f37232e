import { MAX_PICTURE_WAIT, type PageReport, type PictureMatches } from '@touchstone/contract';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../ui/call.ts';
import { hasPart } from '../ui/page-data.ts';
import { Day, Fill, fill, localeOf, Untrusted, useSetting } from '../ui/text.tsx';

/**
 * Where the pictures of a page are certified, once they have been fetched and compared: facts with their date, and no link to a shop.
 * Nothing is shown until then, nor if it cannot be found out.
 */
export function PicturesElsewhere({ report }: { report: PageReport }) {
  const { language, texts } = useSetting();
  const { check, pictureCodes } = texts;
  const { pictures: words } = check;
  const percent = new Intl.NumberFormat(localeOf(language), { style: 'percent' });
  const told = usePictures(report.id);
  if (told?.state !== 'done' || told.findings.length === 0) return null;
  return (
    <section aria-labelledby="pictures-elsewhere">
      <h2 id="pictures-elsewhere">{words.title}</h2>
      <ul class="notes">
        {told.matches.map(({ host, pictures, of, since, same, textShare = 0 }) => (
          <li key={host}>
            <Fill
              text={words.match}
              values={{ pictures, of, host: <Untrusted text={host} />, date: <Day at={since} /> }}
            />
            {same.map((what) => ` ${fill(words.same[what], { share: percent.format(textShare) })}`)}
          </li>
        ))}
        {told.findings.map(({ code, pictures }) => (
          <li key={code}>
            {pictureCodes[code]}
            {pictures === undefined ? '' : ` (${pictures})`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function usePictures(id: string): PictureMatches | undefined {
  const [told, setTold] = useState<PictureMatches>();
  useEffect(() => {
    if (!hasPart('picture-matches')) return undefined;
    const controller = new AbortController();
    setTold(undefined);
    const path = `/api/v1/mc4p/page-checks/${encodeURIComponent(id)}/pictures?wait=${MAX_PICTURE_WAIT}`;
    call<PictureMatches>(path, { signal: controller.signal }).then(
      (answer) => {
        if (answer.kind === 'answer') setTold(answer.body);
      },
      () => {
        // another report is shown
      },
    );
    return () => controller.abort();
  }, [id]);
  return told;
}
