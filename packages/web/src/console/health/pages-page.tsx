import type { SweepPageList } from '@touchstone/contract';
import { fill, Untrusted, UntrustedLink, useTexts } from '../../ui/text.tsx';
import { useAction, useLoad } from '../loading.ts';
import { At, type Standing, State } from '../parts/display.tsx';
import { Filter, List } from '../parts/list.tsx';
import { Empty, ErrorNotice, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { Reason } from '../parts/reason.tsx';
import { StoreName } from '../parts/store-name.tsx';
import { href } from '../routes.ts';
import { tableState } from '../table-state.ts';
import { usePlace, useTools, useWords } from '../tools.ts';

/** Results of a check, those that need somebody first. */
const RESULTS = ['failed', 'expired', 'lost', 'unreachable', 'missing', 'stale', 'verified'] as const;

const RESULT_STANDINGS: Readonly<Record<(typeof RESULTS)[number], Standing>> = {
  failed: 'bad',
  expired: 'bad',
  lost: 'bad',
  unreachable: 'bad',
  missing: 'open',
  stale: 'open',
  verified: 'good',
};

const PAGE_SIZE = 50;

/** The pages of a store, as the service saw them last: what they carry, why it does not hold, what to do. */
export function PagesPage({ storeId }: { storeId: string }) {
  const { client, announce } = useTools();
  const { pages: words, overview } = useWords();
  const table = tableState({ result: RESULTS, cursor: 'text' }, usePlace().search);
  const { result, cursor } = table;
  const params = { store_id: storeId };
  const sweep = useLoad((signal) => client.call('getSweep', { params }, { signal }), [storeId]);
  const loaded = useLoad(
    (signal) =>
      client.call('listSweepPages', { params, query: { result, cursor, limit: PAGE_SIZE } }, { signal }),
    [storeId, result, cursor],
  );
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
          <button type="button" class="button" aria-disabled={begin.isBusy} onClick={() => void begin.run()}>
            {words.begin}
          </button>
        )
      }
    >
      {begin.error === undefined ? null : <ErrorNotice error={begin.error} />}
      <Shown of={sweep}>
        {(known) => (
          <>
            <p>{overview.sweepStates[known.state]}</p>
            <Filter
              label={words.result}
              table={table}
              by="result"
              values={RESULTS}
              names={words.results}
              all={words.all}
              total={known.pages.checked}
              counts={known.pages}
            />
            <Shown of={loaded}>
              {({ pages, nextCursor }) => (
                <List
                  label={words.title}
                  table={table}
                  nextCursor={nextCursor}
                  empty={
                    result === undefined ? (
                      <Empty title={words.none}>
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

function PageRow({ storeId, page }: { storeId: string; page: SweepPageList['pages'][number] }) {
  const { pages: words } = useWords();
  const { sweeps } = useTexts();
  const {
    url,
    productId,
    externalProductId,
    result,
    reason,
    landing,
    expiresAt,
    checkedAt,
    since,
    reportId,
  } = page;
  const { sentence, nextStep } = sweeps[result];
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <UntrustedLink url={url} />
        </span>
        <span class="row-detail">
          <a href={href('product', { storeId, productId })}>
            <Untrusted text={fill(words.of, { id: externalProductId })} />
          </a>
        </span>
        {result === 'verified' ? null : (
          <>
            <p>{sentence}</p>
            {reason === undefined ? null : <Reason note={reason} />}
            {landing === undefined ? null : (
              <p class="hint">
                <Untrusted text={fill(words.landing, { url: landing })} />
              </p>
            )}
            {nextStep === '' ? null : (
              <p class="next-step">
                <strong>{words.nextStep}: </strong>
                {nextStep}
              </p>
            )}
          </>
        )}
        <p class="hint">
          <At text={words.checked} at={checkedAt} /> · <At text={words.since} at={since} />
          {expiresAt === undefined ? null : ' · '}
          <At text={words.expires} at={expiresAt} />
        </p>
      </div>
      <div class="row-side">
        <State standing={RESULT_STANDINGS[result]} label={words.results[result]} />
        <a href={`/api/v1/mc4p/page-checks/${reportId}`}>{words.report}</a>
      </div>
    </li>
  );
}
