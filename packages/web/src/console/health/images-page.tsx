import { fill, Untrusted } from '../../ui/text.tsx';
import type { CallBody, CallInput } from '../calls.ts';
import { useAction, useCall } from '../loading.ts';
import { Bar } from '../parts/display.tsx';
import { Filter, List } from '../parts/list.tsx';
import { Empty, ErrorNotice, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { StoreName } from '../parts/store-name.tsx';
import { href } from '../routes.ts';
import { tableState } from '../table-state.ts';
import { useFormat, usePlace, useTools, useWords } from '../tools.ts';
import { ImageRow } from './image-row.tsx';

/** States to filter by, those that need attention first. */
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

const PAGE_SIZE = 50;

/** The images of a store: which are certified; for the others, the reason and what to do. */
export function ImagesPage({ storeId }: { storeId: string }) {
  const { client, announce } = useTools();
  const { images: words } = useWords();
  const { count } = useFormat();
  const table = tableState({ state: FILTERS, cursor: 'text' }, usePlace().search);
  const { state, cursor } = table;
  const params = { store_id: storeId };
  const loaded = useCall('listImages', { params, query: { state, cursor, limit: PAGE_SIZE } });
  const progress = useCall('getImageProgress', { params });
  const retry = useAction(async (body: CallInput<'retryFailedImages'>['body']) => {
    const { retried } = await client.call('retryFailedImages', { params, body });
    announce(count(words.retried, retried));
    loaded.reload();
    progress.reload();
  });
  const { failed, notServed } = progress.value ?? { failed: 0, notServed: 0 };
  const buttons = [
    ...(failed === 0 ? [] : [{ which: 'failed', label: words.retry } as const]),
    ...(notServed === 0 ? [] : [{ which: 'uncertified', label: words.recheck } as const]),
  ];
  return (
    <Page
      title={words.title}
      of={<StoreName storeId={storeId} />}
      intro={words.intro}
      actions={
        buttons.length === 0
          ? undefined
          : buttons.map(({ which, label }) => (
              <button
                key={which}
                type="button"
                class="button"
                aria-disabled={retry.isBusy}
                onClick={() => void retry.run({ which })}
              >
                {label}
              </button>
            ))
      }
    >
      <ErrorNotice error={retry.error} />
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
                      image={image}
                      onRetry={() => void retry.run({ imageIds: [image.id] })}
                    >
                      <a href={href('product', { storeId, productId: image.productId })}>
                        <Untrusted text={fill(words.ofProduct, { id: image.externalProductId })} />
                      </a>
                    </ImageRow>
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

/** Numbers of images by state. */
function countsOf({ failed, retrying, waiting, notServed, noImage }: CallBody<'getImageProgress'>) {
  return { failed, retrying, waiting, not_served: notServed, no_image: noImage };
}
