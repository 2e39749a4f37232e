import { useEffect, useState } from 'preact/hooks';
import { Untrusted } from '../../ui/text.tsx';
import { useCall } from '../loading.ts';
import { href } from '../routes.ts';
import { useWords } from '../tools.ts';
import { RadioField, TextField } from './fields.tsx';
import { Empty, ErrorNotice, Waiting } from './notices.tsx';

/** Maximum number of options; others are found by typing more of the name. */
const OFFERED = 8;
/** Debounce interval of the search in milliseconds. */
const PAUSE = 200;

export interface ChosenMerchant {
  readonly id: string;
  readonly name: string;
}

interface FieldProps {
  readonly chosen: ChosenMerchant | undefined;
  readonly onChosen: (merchant: ChosenMerchant) => void;
  /** Whether the form was submitted without a merchant. */
  readonly isMissing: boolean;
}

/** For the operator: selects one of many merchants, found by words of its name. */
export function MerchantField({ chosen, onChosen, isMissing }: FieldProps) {
  const { newStore: words, home, loading } = useWords();
  const [text, setText] = useState('');
  const q = useAfterPause(text.trim());
  const { value, error } = useCall('listMerchants', { query: { q, limit: OFFERED } });
  const found = useLatest(value);
  const only = q === '' && found?.merchants.length === 1 ? found.merchants[0] : undefined;
  useEffect(() => {
    // selects the only merchant
    if (only !== undefined && chosen === undefined) onChosen(only);
  }, [only?.id, chosen?.id]);
  if (found === undefined)
    return error === undefined ? <Waiting text={loading} /> : <ErrorNotice error={error} />;
  if (q === '' && found.merchants.length === 0)
    return (
      <Empty
        title={home.noMerchants}
        action={
          <a class="button" href={href('merchants', {})}>
            {home.addMerchant}
          </a>
        }
      >
        {home.noMerchantsBody}
      </Empty>
    );
  // the selected merchant stays in the list, whatever is searched
  const others = found.merchants.filter(({ id }) => id !== chosen?.id);
  const offered = chosen === undefined ? others : [chosen, ...others];
  return (
    <>
      <TextField
        label={words.merchantFind}
        hint={words.merchantHint}
        type="search"
        value={text}
        onValue={setText}
        autocomplete="off"
        wrong={isMissing && chosen === undefined ? words.merchantWrong : undefined}
      />
      <RadioField
        legend={words.merchant}
        value={chosen?.id ?? ''}
        onValue={(id) => {
          const merchant = offered.find((one) => one.id === id);
          if (merchant !== undefined) onChosen(merchant);
        }}
        options={offered.map(({ id, name }) => ({ value: id, label: <Untrusted text={name} /> }))}
      />
      <p class="hint" role="status">
        {found.merchants.length === 0
          ? words.merchantNone
          : found.nextCursor === undefined
            ? ''
            : words.merchantMore}
      </p>
      <ErrorNotice error={error} />
    </>
  );
}

/** The last value, so that results stay visible while the next ones load. */
function useLatest<T>(value: T | undefined): T | undefined {
  const [latest, set] = useState(value);
  useEffect(() => {
    if (value !== undefined) set(() => value);
  }, [value]);
  return value ?? latest;
}

function useAfterPause(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
