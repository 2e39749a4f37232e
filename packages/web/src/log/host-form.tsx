import { useRef, useState } from 'preact/hooks';
import { domainLogPath } from '../ui/log-paths.ts';
import { useTexts } from '../ui/text.tsx';
import { readHost } from './read-host.ts';

/** Leads to the same page about another domain. */
export function HostForm({ host }: { readonly host: string }) {
  const { domainLog: words } = useTexts();
  const [entered, setEntered] = useState(host);
  const [isWrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const wanted = readHost(entered);
    setWrong(wanted === undefined);
    if (wanted === undefined) field.current?.focus();
    else location.assign(domainLogPath(wanted) + languageIn(location.search));
  };
  return (
    <form class="check-form" onSubmit={submit} noValidate>
      <label for="host">{words.field}</label>
      <div class="field-row">
        <input
          ref={field}
          id="host"
          type="text"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          dir="ltr"
          placeholder="shop.example"
          value={entered}
          aria-invalid={isWrong ? true : undefined}
          aria-describedby={isWrong ? 'host-fault' : undefined}
          onInput={(event) => setEntered(event.currentTarget.value)}
        />
        <button type="submit" class="button primary">
          {words.submit}
        </button>
      </div>
      {isWrong ? (
        <p class="fault" id="host-fault" role="alert">
          {words.bad}
        </p>
      ) : null}
    </form>
  );
}

/** The language that was chosen, as a query. */
function languageIn(search: string): string {
  const language = new URLSearchParams(search).get('lang');
  return language === null ? '' : `?${new URLSearchParams({ lang: language })}`;
}
