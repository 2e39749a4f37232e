import { UntrustedLink } from '../../ui/text.tsx';
import { useAction, useLoad } from '../loading.ts';
import { At } from '../parts/display.tsx';
import { ActionButton } from '../parts/form.tsx';
import { ErrorNotice, Shown } from '../parts/notices.tsx';
import { href } from '../routes.ts';
import { useFormat, useTools, useWords } from '../tools.ts';

/** The source from which the catalogue is read automatically, if any. */
export function SourceSettings({ storeId }: { storeId: string }) {
  const { client } = useTools();
  const { settings: words } = useWords();
  const { count } = useFormat();
  const params = { store_id: storeId };
  const loaded = useLoad(
    async (signal) => {
      // requesting a missing source gives an error response, which browsers log
      const { hasSource } = await client.call('getStoreSetup', { params }, { signal });
      return hasSource ? await client.call('getStoreSource', { params }, { signal }) : null;
    },
    [storeId],
  );
  const stop = useAction(async () => {
    await client.call('deleteStoreSource', { params });
    loaded.reload();
  });
  return (
    <section>
      <h2>{words.source}</h2>
      <Shown of={loaded}>
        {(source) =>
          source === null ? (
            <p>
              {words.sourceNone} <a href={href('guide', { storeId }, { step: 'products' })}>{words.add}</a>
            </p>
          ) : (
            <>
              <p>
                <UntrustedLink url={source.url} /> · {count(words.sourceEvery, source.everyHours)} ·{' '}
                <At text={words.sourceNext} at={source.nextAt} />
              </p>
              <ErrorNotice error={stop.error} />
              <ActionButton label={words.sourceStop} isBusy={stop.isBusy} run={stop.run} />
            </>
          )
        }
      </Shown>
    </section>
  );
}
