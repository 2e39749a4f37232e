import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useTexts } from '../ui/text.tsx';
import { readAddress } from './page-address.ts';

interface CheckFormProps {
  /** Initial content of the field, set again when another page is shown. */
  readonly url: string;
  readonly isRunning: boolean;
  onCheck(url: string): void;
  onStop(): void;
}

/** A form with one field. Without scripts, submitting it leads to the same address. */
export function CheckForm({ url, isRunning, onCheck, onStop }: CheckFormProps) {
  const { check: words } = useTexts();
  const [entered, setEntered] = useState(url);
  const [fault, setFault] = useState<keyof typeof words.bad | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    setEntered(url);
    setFault(null);
  }, [url]);

  const submit = (event: Event) => {
    event.preventDefault();
    const address = readAddress(entered);
    if (address.kind === 'address') {
      setFault(null);
      onCheck(address.url);
      return;
    }
    setFault(address.why);
    field.current?.focus();
  };

  const stop = (event: MouseEvent) => {
    // this button replaces the other one at the same place: one click must not count for both
    event.preventDefault();
    if (event.detail < 2) onStop();
  };

  return (
    <form class="check-form" action="/check" method="get" onSubmit={submit} noValidate>
      <label for="url">{words.field}</label>
      <div class="field-row">
        <input
          ref={field}
          id="url"
          name="url"
          type="text"
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          spellcheck={false}
          dir="ltr"
          placeholder={words.placeholder}
          value={entered}
          aria-invalid={fault === null ? undefined : true}
          aria-describedby={fault === null ? undefined : 'url-fault'}
          onInput={(event) => setEntered(event.currentTarget.value)}
        />
        {isRunning ? (
          <button type="button" class="button" onClick={stop}>
            {words.stop}
          </button>
        ) : (
          <button type="submit" class="button primary">
            {words.submit}
          </button>
        )}
      </div>
      {fault === null ? null : (
        <p class="fault" id="url-fault" role="alert">
          {words.bad[fault]}
        </p>
      )}
    </form>
  );
}
