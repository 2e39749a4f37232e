/** State of a table in the address: each parameter with its allowed values; `text`: any. */
type Shape = Readonly<Record<string, 'text' | readonly string[]>>;

type StateOf<S extends Shape> = {
  readonly [K in keyof S]?: S[K] extends readonly (infer V)[] ? V : string;
};

const LONGEST_TEXT = 400;

/** Filters, search and cursor of a table, from the address; invalid values are ignored. */
export function tableState<const S extends Shape>(shape: S, search: string): StateOf<S> {
  const query = new URLSearchParams(search);
  const known = Object.entries(shape).flatMap(([name, allowed]) => {
    const value = query.get(name)?.trim() ?? '';
    const fits = allowed === 'text' ? value.length <= LONGEST_TEXT : allowed.includes(value);
    return value !== '' && fits ? [[name, value]] : [];
  });
  return Object.fromEntries(known) as StateOf<S>;
}

/** The query of a changed state; a changed filter resets the cursor. */
export function changedSearch(
  state: Readonly<Record<string, string | undefined>>,
  change: Readonly<Record<string, string | undefined>>,
): string {
  const entries = Object.entries<string | undefined>({ ...state, cursor: undefined, ...change });
  // never empty: an empty `href` would keep the present query
  return `?${new URLSearchParams(entries.flatMap(([name, value]) => (value ? [[name, value]] : [])))}`;
}
