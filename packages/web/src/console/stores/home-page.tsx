import { Untrusted } from '../../ui/text.tsx';
import { useCall } from '../loading.ts';
import { List } from '../parts/list.tsx';
import { Empty, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { href } from '../routes.ts';
import { tableState } from '../table-state.ts';
import { useCaller, usePlace, useWords } from '../tools.ts';

/** The stores that the caller may see. */
export function HomePage() {
  const { home: words, platforms } = useWords();
  const caller = useCaller();
  const table = tableState({ cursor: 'text', merchant: 'text' }, usePlace().search);
  const { cursor, merchant: merchantId } = table;
  const loaded = useCall('listStores', { query: { cursor, merchantId, limit: 50 } });
  const add = href('newStore', {}, { merchant: merchantId });
  return (
    <Page
      title={words.title}
      actions={
        // an empty list has its own button
        loaded.value === undefined || loaded.value.stores.length === 0 ? undefined : (
          <a class="button primary" href={add}>
            {words.add}
          </a>
        )
      }
    >
      {merchantId === undefined ? null : (
        <p>
          {words.ofMerchant} <a href={href('home', {})}>{words.all}</a>
        </p>
      )}
      <Shown of={loaded}>
        {({ stores, nextCursor }) => (
          <List
            label={words.title}
            table={table}
            nextCursor={nextCursor}
            empty={caller.role === 'operator' ? <NoStoreOfOperator add={add} /> : <NoStore add={add} />}
          >
            {stores.map(({ id, name, url, platform }) => (
              <li key={id} class="row">
                <div class="row-main">
                  <a class="row-title" href={href('store', { storeId: id })}>
                    <Untrusted text={name} />
                  </a>
                  <span class="row-detail">
                    <Untrusted text={url} />
                    {platform === 'custom' ? '' : ` · ${platforms[platform]}`}
                  </span>
                </div>
              </li>
            ))}
          </List>
        )}
      </Shown>
    </Page>
  );
}

function NoStore({ add }: { add: string }) {
  const { home: words } = useWords();
  return (
    <Empty
      title={words.none}
      action={
        <a class="button primary" href={add}>
          {words.add}
        </a>
      }
    >
      {words.noneBody}
    </Empty>
  );
}

/** Shown to the operator without stores: a store needs a merchant first. */
function NoStoreOfOperator({ add }: { add: string }) {
  const { home: words } = useWords();
  const loaded = useCall('listMerchants', { query: { limit: 1 } });
  return (
    <Shown of={loaded}>
      {({ merchants }) =>
        merchants.length === 0 ? (
          <Empty
            title={words.noMerchants}
            action={
              <a class="button primary" href={href('merchants', {})}>
                {words.addMerchant}
              </a>
            }
          >
            {words.noMerchantsBody}
          </Empty>
        ) : (
          <NoStore add={add} />
        )
      }
    </Shown>
  );
}
