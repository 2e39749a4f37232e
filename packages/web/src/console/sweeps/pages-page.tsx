import { useAction, useCall } from '../loading.ts';
import { ActionButton } from '../parts/form.tsx';
import { Filter, List } from '../parts/list.tsx';
import { Empty, ErrorNotice, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { StoreName } from '../parts/store-name.tsx';
import { href } from '../routes.ts';
import { tableState } from '../table-state.ts';
import { usePlace, useTools, useWords } from '../tools.ts';
import { PAGE_RESULTS, PageRow } from './page-row.tsx';

const PAGE_SIZE = 50;
const DRIFTED = ['true'] as const;

/** The last checks of a store's pages: their result, the reason for a failure, and what to do. */
export function PagesPage({ storeId }: { storeId: string }) {
  const { client, announce } = useTools();
  const { pages: words, overview } = useWords();
  const table = tableState({ result: PAGE_RESULTS, drifted: DRIFTED, cursor: 'text' }, usePlace().search);
  const { result, drifted, cursor } = table;
  const params = { store_id: storeId };
  const sweep = useCall('getSweep', { params });
  const loaded = useCall('listSweepPages', { params, query: { result, drifted, cursor, limit: PAGE_SIZE } });
  const begin = useAction(async () => {
    sweep.replace(await client.call('beginSweep', { params }));
    announce(words.begun);
    loaded.reload();
  });
  const state = sweep.value?.state;
  return (
    <Page
      title={words.title}
      of={<StoreName storeId={storeId} />}
      intro={words.intro}
      actions={
        state === undefined || state === 'off' ? undefined : (
          <ActionButton label={words.begin} isBusy={begin.isBusy} run={begin.run} />
        )
      }
    >
      <ErrorNotice error={begin.error} />
      <Shown of={sweep}>
        {(known) => (
          <>
            <p>{overview.sweepStates[known.state]}</p>
            {known.pages.checked === 0 && result === undefined ? null : (
              <Filter
                label={words.result}
                table={table}
                by="result"
                values={PAGE_RESULTS}
                names={words.results}
                all={words.all}
                total={known.pages.checked}
                counts={known.pages}
              />
            )}
            {(known.pages.drifted ?? 0) === 0 && drifted === undefined ? null : (
              <Filter
                label={words.drift}
                table={table}
                by="drifted"
                values={DRIFTED}
                names={{ true: words.drifted }}
                all={words.all}
                counts={{ true: known.pages.drifted ?? 0 }}
              />
            )}
            <Shown of={loaded}>
              {({ pages, nextCursor }) => (
                <List
                  label={words.title}
                  table={table}
                  nextCursor={nextCursor}
                  empty={
                    result === undefined && drifted === undefined ? (
                      <Empty
                        title={words.none}
                        action={<a href={href('products', { storeId })}>{words.toProducts}</a>}
                      >
                        {known.state === 'off' ? words.noneOff : words.noneBody}
                      </Empty>
                    ) : (
                      <Empty title={words.noneHere} />
                    )
                  }
                >
                  {pages.map((page) => (
                    <PageRow key={page.productId} storeId={storeId} page={page} />
                  ))}
                </List>
              )}
            </Shown>
          </>
        )}
      </Shown>
    </Page>
  );
}
