import { fill, localeOf, useSetting } from '../ui/text.tsx';
import { ENGINE_BYTES } from './offline.ts';
import type { useOffline } from './use-offline.ts';

/** What works on this page without a network. */
export function OfflinePanel({ offline }: { offline: ReturnType<typeof useOffline> }) {
  const { language, texts } = useSetting();
  const { offline: words } = texts.verify;
  const { page, engine, update, install, keepEngine } = offline;
  const size = new Intl.NumberFormat(localeOf(language), {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 0,
  }).format(ENGINE_BYTES / 1e6);
  return (
    <section class="offline" aria-labelledby="offline" data-page={page} data-engine={engine}>
      <h2 id="offline">{words.title}</h2>
      <p role="status">{words[page]}</p>
      <p class="engine">
        {page === 'ready' && engine === 'kept' ? words.engineKept : null}
        {page === 'ready' && engine === 'loading' ? words.engineLoading : null}
        {page === 'ready' && engine === 'absent' ? (
          <button type="button" class="button" onClick={keepEngine}>
            {fill(words.engine, { size })}
          </button>
        ) : null}
      </p>
      {install === null ? null : (
        <p>
          <button type="button" class="button" onClick={install}>
            {words.install}
          </button>
        </p>
      )}
      {update === null ? null : (
        <p class="notice" data-tone="neutral">
          {words.update}{' '}
          <button type="button" class="button" onClick={() => update.postMessage('use-now')}>
            {words.useNow}
          </button>
        </p>
      )}
    </section>
  );
}
