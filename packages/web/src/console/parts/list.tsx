import type { ComponentChild, ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { changedSearch } from '../table-state.ts';
import { useFormat, useWords } from '../tools.ts';

/** What the address says of a list: its filters, and where in it one is. */
type Table = Readonly<Record<string, string | undefined>>;

interface FilterProps<N extends string, V extends string> {
  readonly label: string;
  readonly table: Table & { readonly [K in N]?: V };
  /** Of the filter in the address. */
  readonly by: N;
  readonly values: readonly V[];
  readonly names: Readonly<Record<V, string>>;
  /** What the whole list is called. */
  readonly all: string;
  readonly total?: number | undefined;
  /** As far as they are told. */
  readonly counts?: Readonly<Partial<Record<V, number>>>;
}

/** Links that narrow a list, each with how many there are where that is known; what there is none of is left out. */
export function Filter<N extends string, V extends string>(props: FilterProps<N, V>) {
  const { label, table, by, values, names, all, total, counts } = props;
  const { number } = useFormat();
  const chosen = table[by];
  const place = useRef<HTMLUListElement>(null);
  const shown = values.filter((value) => value === chosen || counts?.[value] !== 0);
  // on a phone they stand in one line, which is scrolled
  useEffect(() => {
    const link = place.current?.querySelector('[aria-current]');
    link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen, shown.length]);
  const option = (name: string, value: V | undefined, count: number | undefined) => (
    <li key={value ?? ''}>
      <a href={changedSearch(table, { [by]: value })} aria-current={chosen === value ? 'true' : undefined}>
        {name}
        {count === undefined ? null : <span class="count">{number(count)}</span>}
      </a>
    </li>
  );
  return (
    <nav class="filter" aria-label={label}>
      <ul ref={place}>
        {option(all, undefined, total)}
        {shown.map((value) => option(names[value], value, counts?.[value]))}
      </ul>
    </nav>
  );
}

interface ListProps {
  readonly label: string;
  readonly table: Table;
  readonly nextCursor: string | undefined;
  /** In the place of a list without rows. */
  readonly empty: ComponentChildren;
  /** Shown with rows only. */
  readonly before?: ComponentChildren;
  readonly after?: ComponentChildren;
  readonly isOrdered?: boolean;
  /** Rows, an `li` each. */
  readonly children: readonly ComponentChild[];
}

/** One page of a list, or what to do where it is empty, and the ways on and back to its beginning. */
export function List({
  label,
  table,
  nextCursor,
  empty,
  before,
  after,
  isOrdered = false,
  children,
}: ListProps) {
  const Rows = isOrdered ? 'ol' : 'ul';
  return (
    <>
      {children.length === 0 ? (
        empty
      ) : (
        <>
          {before}
          <Rows class="rows" aria-label={label}>
            {children}
          </Rows>
          {after}
        </>
      )}
      <Pager table={table} nextCursor={nextCursor} />
    </>
  );
}

function Pager({ table, nextCursor }: Pick<ListProps, 'table' | 'nextCursor'>) {
  const words = useWords();
  if (nextCursor === undefined && table.cursor === undefined) return null;
  return (
    <nav class="pager" aria-label={words.pager}>
      {table.cursor === undefined ? null : <a href={changedSearch(table, {})}>{words.firstPage}</a>}
      {nextCursor === undefined ? null : (
        <a class="button" href={changedSearch(table, { cursor: nextCursor })} rel="next">
          {words.nextPage}
        </a>
      )}
    </nav>
  );
}
