import type { ProductList, ProductState } from '@touchstone/contract';
import { useEffect, useState } from 'preact/hooks';
import { useLoad } from '../loading.ts';
import { Filter, Pager } from '../parts/bits.tsx';
import { Empty, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { StoreName } from '../parts/store-name.tsx';
import { href } from '../routes.ts';
import { changedSearch } from '../table-state.ts';
import { useFormat, usePlace, useTools, useWords } from '../tools.ts';
import { BulkActions } from './bulk-actions.tsx';
import { ProductRows } from './product-rows.tsx';
import { type ProductTable, STATES, tableOf } from './product-table.ts';
import { SearchForm } from './search-form.tsx';

/** Products of a page. */
const PAGE_SIZE = 50;

/** The products of a store: their states and why, searched, narrowed, changed many at a time. */
export function ProductsPage({ storeId }: { storeId: string }) {
  const { client } = useTools();
  const { products: words } = useWords();
  const table = tableOf(usePlace().search);
  const { by = 'q', text, state, cursor } = table;
  const params = { store_id: storeId };
  const query = { state, cursor, limit: PAGE_SIZE, ...(text === undefined ? {} : { [by]: text }) };
  const loaded = useLoad(
    (signal) => client.call('listProducts', { params, query }, { signal }),
    [storeId, by, text, state, cursor],
  );
  const counts = useLoad((signal) => client.call('countProducts', { params }, { signal }), [storeId]);
  const reload = () => {
    loaded.reload();
    counts.reload();
  };
  return (
    <Page
      title={words.title}
      of={<StoreName storeId={storeId} />}
      actions={
        <a class="button" href={href('guide', { storeId }, { step: 'products' })}>
          {words.import}
        </a>
      }
    >
      <SearchForm table={table} />
      <States table={table} counts={counts.value?.states} total={counts.value?.total} />
      <Shown of={loaded}>
        {(list) => <List storeId={storeId} table={table} list={list} onChange={reload} />}
      </Shown>
    </Page>
  );
}

type Counts = Readonly<Record<ProductState, number>>;

function States({
  table,
  counts,
  total,
}: {
  table: ProductTable;
  counts: Counts | undefined;
  total: number | undefined;
}) {
  const { products: words } = useWords();
  const shown = STATES.filter((state) => state === table.state || (counts?.[state] ?? 0) > 0);
  return (
    <Filter
      label={words.state}
      options={[
        {
          name: words.anyState,
          href: changedSearch(table, { state: undefined }),
          isChosen: table.state === undefined,
          count: total,
        },
        ...shown.map((state) => ({
          name: words.states[state],
          href: changedSearch(table, { state }),
          isChosen: table.state === state,
          count: counts?.[state],
        })),
      ]}
    />
  );
}

interface ListProps {
  readonly storeId: string;
  readonly table: ProductTable;
  readonly list: ProductList;
  readonly onChange: () => void;
}

function List({ storeId, table, list, onChange }: ListProps) {
  const { products: words } = useWords();
  const { count } = useFormat();
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  // what is chosen is what is seen: another page, search or filter begins with nothing
  useEffect(() => select(new Set()), [list]);
  const { products, nextCursor } = list;
  const isNarrowed = table.text !== undefined || table.state !== undefined;
  return (
    <>
      {table.state === 'deleted' ? null : (
        <BulkActions
          storeId={storeId}
          table={table}
          list={list}
          selected={selected}
          onSelect={select}
          onChange={onChange}
        />
      )}
      {products.length > 0 ? (
        <>
          <p class="hint">{count(words.onThisPage, products.length)}</p>
          <ProductRows
            products={products}
            selected={selected}
            onSelect={table.state === 'deleted' ? undefined : select}
          />
          <Pager
            next={nextCursor === undefined ? undefined : changedSearch(table, { cursor: nextCursor })}
            first={table.cursor === undefined ? undefined : changedSearch(table, {})}
          />
        </>
      ) : isNarrowed ? (
        <Empty title={words.noMatch} action={<a href={href('products', { storeId })}>{words.clear}</a>}>
          {words.noMatchBody}
        </Empty>
      ) : (
        <Empty
          title={words.none}
          action={
            <a class="button primary" href={href('guide', { storeId }, { step: 'products' })}>
              {words.import}
            </a>
          }
        >
          {words.noneBody}
        </Empty>
      )}
    </>
  );
}
