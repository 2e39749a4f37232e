import type { ImageReport, ImageState } from '@touchstone/contract';
import { fill, Untrusted, UntrustedLink, useSetting } from '../../ui/text.tsx';
import type { CallBody } from '../calls.ts';
import { useAction, useLoad } from '../loading.ts';
import { At, Bar, type Standing, State } from '../parts/display.tsx';
import { Filter, List } from '../parts/list.tsx';
import { Empty, ErrorNotice, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { StoreName } from '../parts/store-name.tsx';
import { href } from '../routes.ts';
import { tableState } from '../table-state.ts';
import { useFormat, usePlace, useTools, useWords } from '../tools.ts';

/** States that a list can be narrowed to, those that need somebody first. */
const FILTERS = [
  'failed',
  'retrying',
  'not_served',
  'no_manifest',
  'manifest_remote',
  'manifest_invalid',
  'issued_to_another_store',
  'damaged',
  'no_image',
  'waiting',
  'certified',
  'signed',
  'unstamped',
] as const;

const STANDINGS: Readonly<Record<ImageState, Standing>> = {
  waiting: 'working',
  failed: 'bad',
  no_image: 'off',
  certified: 'good',
  not_served: 'open',
  no_manifest: 'open',
  manifest_remote: 'open',
  manifest_invalid: 'bad',
  issued_to_another_store: 'bad',
  damaged: 'bad',
};

const PAGE_SIZE = 50;

/** The images of a store: which are certified, and of the others why not and what to do. */
export function ImagesPage({ storeId }: { storeId: string }) {
  const { client, announce } = useTools();
  const { images: words } = useWords();
  const { count } = useFormat();
  const table = tableState({ state: FILTERS, cursor: 'text' }, usePlace().search);
  const { state, cursor } = table;
  const params = { store_id: storeId };
  const loaded = useLoad(
    (signal) => client.call('listImages', { params, query: { state, cursor, limit: PAGE_SIZE } }, { signal }),
    [storeId, state, cursor],
  );
  const progress = useLoad((signal) => client.call('getImageProgress', { params }, { signal }), [storeId]);
  const retry = useAction(async (imageIds: readonly string[] | undefined) => {
    const { retried } = await client.call('retryFailedImages', {
      params,
      body: imageIds === undefined ? {} : { imageIds: [...imageIds] },
    });
    announce(count(words.retried, retried));
    loaded.reload();
    progress.reload();
  });
  const failed = progress.value?.failed ?? 0;
  return (
    <Page
      title={words.title}
      of={<StoreName storeId={storeId} />}
      intro={words.intro}
      actions={
        failed === 0 ? undefined : (
          <button
            type="button"
            class="button"
            aria-disabled={retry.isBusy}
            onClick={() => void retry.run(undefined)}
          >
            {words.retry}
          </button>
        )
      }
    >
      {retry.error === undefined ? null : <ErrorNotice error={retry.error} />}
      <Shown of={progress}>
        {(known) => (
          <>
            {known.total === 0 ? null : <Progress total={known.total} waiting={known.waiting} />}
            <Filter
              label={words.state}
              table={table}
              by="state"
              values={FILTERS}
              names={words.states}
              all={words.all}
              total={known.total}
              counts={countsOf(known)}
            />
            <Shown of={loaded}>
              {({ images, nextCursor }) => (
                <List
                  label={words.title}
                  table={table}
                  nextCursor={nextCursor}
                  empty={<NoImage storeId={storeId} isNarrowed={state !== undefined} />}
                >
                  {images.map((image) => (
                    <ImageRow
                      key={image.id}
                      storeId={storeId}
                      image={image}
                      onRetry={() => void retry.run([image.id])}
                    />
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

function Progress({ total, waiting }: { total: number; waiting: number }) {
  const { images: words } = useWords();
  const { number } = useFormat();
  const done = total - waiting;
  return (
    <Bar
      label={fill(words.progress, { done: number(done), total: number(total) })}
      done={done}
      total={total}
    />
  );
}

function NoImage({ storeId, isNarrowed }: { storeId: string; isNarrowed: boolean }) {
  const { images: words, products } = useWords();
  if (isNarrowed) return <Empty title={words.none}>{words.noneBody}</Empty>;
  return (
    <Empty
      title={words.noneAtAll}
      action={<a href={href('guide', { storeId }, { step: 'products' })}>{products.import}</a>}
    >
      {words.noneAtAllBody}
    </Empty>
  );
}

/** Of the states that are counted. */
function countsOf({ failed, retrying, waiting, notServed, noImage }: CallBody<'getImageProgress'>) {
  return { failed, retrying, waiting, not_served: notServed, no_image: noImage };
}

function ImageRow({ storeId, image, onRetry }: { storeId: string; image: ImageReport; onRetry: () => void }) {
  const { images: words } = useWords();
  const { texts, language } = useSetting();
  const { count } = useFormat();
  const { url, state, problem, manifestFailures = [], signedFile, productId, externalProductId } = image;
  const isWell = state === 'certified' || state === 'waiting';
  const sentences: Readonly<Record<string, { readonly sentence: string; readonly nextStep: string }>> =
    texts.images;
  const own = problem === undefined ? undefined : sentences[problem.code];
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <UntrustedLink url={url} label={shortOf(url)} />
        </span>
        <span class="row-detail">
          <a href={href('product', { storeId, productId })}>
            <Untrusted text={fill(words.ofProduct, { id: externalProductId })} />
          </a>
        </span>
        {problem === undefined ? null : (
          <>
            <p lang={own === undefined && language !== 'en' ? 'en' : undefined}>
              {own?.sentence ?? problem.message}
            </p>
            <p class="next-step" lang={own === undefined && language !== 'en' ? 'en' : undefined}>
              <strong>{words.nextStep}: </strong>
              {own?.nextStep ?? problem.nextStep}
            </p>
            <p class="hint">
              {count(words.attempts, problem.attempts)}
              {problem.nextAttemptAt === undefined ? null : ' · '}
              <At text={words.nextAttempt} at={problem.nextAttemptAt} />
            </p>
          </>
        )}
        {problem !== undefined || isWell ? null : (
          <p class="next-step">
            <strong>{words.nextStep}: </strong>
            {words.next[state]}
          </p>
        )}
        {manifestFailures.length === 0 ? null : (
          <p class="hint">
            <code>
              <Untrusted text={manifestFailures.join(', ')} />
            </code>
          </p>
        )}
      </div>
      <div class="row-side">
        <State standing={STANDINGS[state]} label={words.states[state]} />
        {signedFile === undefined || state !== 'not_served' ? null : (
          <a href={signedFile.url} download="">
            {words.signedFile}
          </a>
        )}
        {problem === undefined ? null : (
          <button type="button" class="button small" onClick={onRetry}>
            {words.retryOne}
          </button>
        )}
      </div>
    </li>
  );
}

/** The end of an address tells images apart. */
function shortOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? url : `${parsed.host}/…/${parsed.pathname.split('/').at(-1) ?? ''}`;
}
