import type { ComponentChild, ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { changedSearch } from '../table-state.ts';
import { useFormat, useWords } from '../tools.ts';

/** State of a list in the address: its filters and cursor. */
type Table = Readonly<Record<string, string | undefined>>;

interface FilterProps<N extends string, V extends string> {
  readonly label: string;
  readonly table: Table & { readonly [K in N]?: V };
  /** Name of the filter in the address. */
  readonly by: N;
  readonly values: readonly V[];
  readonly names: Readonly<Record<V, string>>;
  /** Label of the unfiltered list. */
  readonly all: string;
  readonly total?: number | undefined;
  /** Those that are known. */
  readonly counts?: Readonly<Partial<Record<V, number>>>;
}

/** Links that filter a list, each with its count if known; values without entries are left out. */
export function Filter<N extends string, V extends string>(props: FilterProps<N, V>) {
  const { label, table, by, values, names, all, total, counts } = props;
  const { number } = useFormat();
  const chosen = table[by];
  const place = useRef<HTMLUListElement>(null);
  const shown = values.filter((value) => value === chosen || counts?.[value] !== 0);
  // on a phone, the links are in one scrollable line
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
  /** Shown instead of a list without rows. */
  readonly empty: ComponentChildren;
  /** Shown only with rows. */
  readonly before?: ComponentChildren;
  readonly after?: ComponentChildren;
  readonly isOrdered?: boolean;
  /** Rows, each an `li`. */
  readonly children: readonly ComponentChild[];
}

/** One page of a list, or what to do if it is empty, with links to the next page and to the beginning. */
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
