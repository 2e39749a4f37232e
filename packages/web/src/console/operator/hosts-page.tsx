import { Untrusted, useTexts } from '../../ui/text.tsx';
import { useCall } from '../loading.ts';
import { At } from '../parts/display.tsx';
import { Empty, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { useFormat, useWords } from '../tools.ts';

/** Hosts of shops that do not answer, are slow or refuse requests, with the reasons. */
export function HostsPage() {
  const { hosts: words } = useWords();
  const { count, number } = useFormat();
  const sentenceOf = useSentences();
  const loaded = useCall('listFailingHosts', {});
  return (
    <Page title={words.title} intro={words.intro}>
      <Shown of={loaded}>
        {({ hosts, complete }) =>
          hosts.length === 0 ? (
            <Empty title={words.none}>{words.noneBody}</Empty>
          ) : (
            <>
              <ul class="rows" aria-label={words.title}>
                {hosts.map(({ host, images, pages, reasons, lastAt }) => (
                  <li key={host} class="row">
                    <div class="row-main">
                      <span class="row-title">
                        <Untrusted text={host} />
                      </span>
                      <span class="row-detail">
                        {pages === 0 ? '' : `${count(words.pages, pages)} · `}
                        {images === 0 ? '' : `${count(words.images, images)} · `}
                        <At text={words.last} at={lastAt} />
                      </span>
                      <ul class="reasons">
                        {reasons.map(({ code, count: times }) => (
                          <li key={code}>
                            {number(times)} × {sentenceOf(code)} <code>{code}</code>
                          </li>
                        ))}
                      </ul>
                    </div>
                  </li>
                ))}
              </ul>
              {complete ? null : <p class="hint">{words.incomplete}</p>}
            </>
          )
        }
      </Shown>
    </Page>
  );
}

/** The sentence for a code of an image or page; empty if the code is unknown. */
function useSentences(): (code: string) => string {
  const { images, pageCodes } = useTexts();
  const ofImages: Readonly<Record<string, { readonly sentence: string }>> = images;
  const ofPages: Readonly<Record<string, string>> = pageCodes;
  return (code) => ofImages[code]?.sentence ?? ofPages[code] ?? '';
}
