/** What of a table stands in the address: each name with the values that it may have; `text`: any. */
type Shape = Readonly<Record<string, 'text' | readonly string[]>>;

type StateOf<S extends Shape> = {
  readonly [K in keyof S]?: S[K] extends readonly (infer V)[] ? V : string;
};

const LONGEST_TEXT = 400;

/** Filters, search and cursor of a table, as the address tells them; what is not understood is left out. */
export function tableState<const S extends Shape>(shape: S, search: string): StateOf<S> {
  const query = new URLSearchParams(search);
  const known = Object.entries(shape).flatMap(([name, allowed]) => {
    const value = query.get(name)?.trim() ?? '';
    const fits = allowed === 'text' ? value.length <= LONGEST_TEXT : allowed.includes(value);
    return value !== '' && fits ? [[name, value]] : [];
  });
  return Object.fromEntries(known) as StateOf<S>;
}

/** The search part for a changed state; a changed filter leads to the first page again. */
export function changedSearch(
  state: Readonly<Record<string, string | undefined>>,
  change: Readonly<Record<string, string | undefined>>,
): string {
  const entries = Object.entries<string | undefined>({ ...state, cursor: undefined, ...change });
  // not empty even then: an empty address in a link is the present one with its query
  return `?${new URLSearchParams(entries.flatMap(([name, value]) => (value ? [[name, value]] : [])))}`;
}
