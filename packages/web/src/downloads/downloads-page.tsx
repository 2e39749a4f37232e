import type { Downloads } from '@touchstone/contract';
import { CopyButton } from '../ui/keep.tsx';
import { Fill, localeOf, useSetting, useTexts } from '../ui/text.tsx';

type Download = Downloads['downloads'][number];

/** What merchants install, each with what to do with it. */
export function DownloadsPage({ downloads, baseUrl }: Downloads & { readonly baseUrl: string }) {
  const { downloads: words } = useTexts();
  return (
    <article class="downloads">
      <h1>{words.title}</h1>
      <p class="lead">{words.lead}</p>
      {downloads.map((download) => (
        <DownloadView key={download.id} download={download} command={commandOf(download, baseUrl)} />
      ))}
      <section>
        <h2>{words.sums}</h2>
        <p>
          <a href="/downloads/SHA256SUMS">
            <code dir="ltr">SHA256SUMS</code>
          </a>
        </p>
        <p>{words.sumsHint}</p>
        <Command text="sha256sum --check --ignore-missing SHA256SUMS" />
      </section>
    </article>
  );
}

function DownloadView({ download, command }: { download: Download; command: string | undefined }) {
  const { downloads: words } = useTexts();
  const locale = localeOf(useSetting().language);
  const { id, file, version, bytes, sha256 } = download;
  const kilobytes = { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 } as const;
  const size = new Intl.NumberFormat(locale, kilobytes).format(bytes / 1000);
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{words.names[id]}</h2>
      <p>{words.uses[id]}</p>
      {command === undefined ? null : <Command text={command} />}
      <p>
        <a class="button" href={`/downloads/${file}`} download>
          <Fill text={words.get} values={{ file: <code dir="ltr">{file}</code> }} />
        </a>
      </p>
      <p class="small">
        <Fill text={words.facts} values={{ version, size, sha256: <code dir="ltr">{sha256}</code> }} />
      </p>
    </section>
  );
}

function Command({ text }: { text: string }) {
  const { common } = useTexts();
  return (
    <p class="command">
      <code dir="ltr">{text}</code> <CopyButton text={async () => text}>{common.copy}</CopyButton>
    </p>
  );
}

/** Installs from this service, since no registry has our packages. */
function commandOf({ id, file }: Download, baseUrl: string): string | undefined {
  const address = `${baseUrl}/downloads/${file}`;
  if (id === 'cli') return `npm install --global ${address}`;
  return id === 'certificate' || id === 'edge' ? `npm install ${address}` : undefined;
}
