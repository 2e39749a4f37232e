import type { ProductList } from '@touchstone/contract';
import { useEffect, useState } from 'preact/hooks';
import { useCall } from '../loading.ts';
import { Filter, List } from '../parts/list.tsx';
import { Empty, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { StoreName } from '../parts/store-name.tsx';
import { href } from '../routes.ts';
import { useFormat, usePlace, useWords } from '../tools.ts';
import { BulkActions } from './bulk-actions.tsx';
import { ProductRow } from './product-row.tsx';
import { type ProductTable, STATES, tableOf } from './product-table.ts';
import { SearchForm } from './search-form.tsx';

/** Products per page. */
const PAGE_SIZE = 50;

/** The products of a store: their states with the reasons, searching, filtering, bulk changes. */
export function ProductsPage({ storeId }: { storeId: string }) {
  const { products: words } = useWords();
  const table = tableOf(usePlace().search);
  const { by = 'q', text, state, cursor } = table;
  const params = { store_id: storeId };
  const query = { state, cursor, limit: PAGE_SIZE, ...(text === undefined ? {} : { [by]: text }) };
  const loaded = useCall('listProducts', { params, query });
  const counts = useCall('countProducts', { params });
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
      <Shown of={counts}>
        {({ total, states }) => (
          <>
            <Filter
              label={words.state}
              table={table}
              by="state"
              values={STATES}
              names={words.states}
              all={words.anyState}
              total={total}
              counts={states}
            />
            <Shown of={loaded}>
              {(list) => <Found storeId={storeId} table={table} list={list} onChange={reload} />}
            </Shown>
          </>
        )}
      </Shown>
    </Page>
  );
}

interface FoundProps {
  readonly storeId: string;
  readonly table: ProductTable;
  readonly list: ProductList;
  readonly onChange: () => void;
}

function Found({ storeId, table, list, onChange }: FoundProps) {
  const { products: words } = useWords();
  const { count } = useFormat();
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  // only visible products can be selected: another page, search or filter clears the selection
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
      <List
        label={words.list}
        table={table}
        nextCursor={nextCursor}
        empty={isNarrowed ? <NoMatch storeId={storeId} /> : <NoProduct storeId={storeId} />}
        before={<p class="hint">{count(words.onThisPage, products.length)}</p>}
      >
        {products.map((product) => (
          <ProductRow
            key={product.id}
            product={product}
            isSelected={selected.has(product.id)}
            onSelect={table.state === 'deleted' ? undefined : () => select(toggled(selected, product.id))}
          />
        ))}
      </List>
    </>
  );
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

function NoMatch({ storeId }: { storeId: string }) {
  const { products: words } = useWords();
  return (
    <Empty title={words.noMatch} action={<a href={href('products', { storeId })}>{words.clear}</a>}>
      {words.noMatchBody}
    </Empty>
  );
}

function NoProduct({ storeId }: { storeId: string }) {
  const { products: words } = useWords();
  return (
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
  );
}
