import { useLayoutEffect, useState } from 'preact/hooks';
import { SelectField, TextField } from '../parts/fields.tsx';
import { changedSearch } from '../table-state.ts';
import { usePlace, useTools, useWords } from '../tools.ts';
import { type ProductTable, SEARCHES } from './product-table.ts';

/** Puts the search into the address, so that it can be shared and the back button works. */
export function SearchForm({ table }: { table: ProductTable }) {
  const { navigation } = useTools();
  const { products: words } = useWords();
  const { path } = usePlace();
  const [text, setText] = useState(table.text ?? '');
  const [by, setBy] = useState<(typeof SEARCHES)[number]>(table.by ?? 'q');
  // before anybody can type
  useLayoutEffect(() => {
    setText(table.text ?? '');
    setBy(table.by ?? 'q');
  }, [table.text, table.by]);
  const submit = (event: Event) => {
    event.preventDefault();
    const value = text.trim();
    navigation.go(
      `${path}${changedSearch(table, { text: value, by: value === '' || by === 'q' ? undefined : by })}`,
    );
  };
  return (
    <search>
      <form class="search" onSubmit={submit} noValidate>
        <TextField label={words.search} type="search" value={text} onValue={setText} />
        <SelectField
          label={words.searchIn}
          value={by}
          onValue={setBy}
          options={SEARCHES.map((name) => [name, words.by[name]] as const)}
        />
        <button type="submit" class="button">
          {words.submit}
        </button>
      </form>
    </search>
  );
}
