import { type ComponentChildren, Fragment } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { fill } from '../../ui/text.tsx';
import { useFormat, useTools, useWords } from '../tools.ts';

export type Standing = 'good' | 'working' | 'open' | 'bad' | 'off';

/** A state as text with its own symbol, never by colour alone. */
export function State({ standing, label }: { standing: Standing; label: ComponentChildren }) {
  return (
    <span class="state" data-standing={standing}>
      <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <path d={SHAPES[standing]} />
      </svg>
      <span>{label}</span>
    </span>
  );
}

const SHAPES: Readonly<Record<Standing, string>> = {
  good: 'M3 8.5 6.5 12 13 4.5',
  working: 'M8 3a5 5 0 1 0 5 5',
  open: 'M8 2.5v7M8 12v1.75',
  bad: 'M4 4l8 8M12 4l-8 8',
  off: 'M4 8h8',
};

/** Text to be copied exactly, with a button that copies it. */
export function Copyable({
  text,
  label,
  isBlock = false,
}: {
  text: string;
  label: string;
  isBlock?: boolean;
}) {
  const words = useWords();
  const { announce } = useTools();
  const [result, tell] = useState<string>();
  const code = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      tell(words.copied);
      announce(words.copied);
    } catch {
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      tell(words.copyFailed);
      announce(words.copyFailed);
    }
  };
  return (
    <span class={isBlock ? 'copyable block' : 'copyable'}>
      <code ref={code} dir="ltr">
        {text}
      </code>
      <button type="button" class="button small" onClick={copy} aria-label={`${words.copy}: ${label}`}>
        {words.copy}
      </button>
      {result === undefined ? null : <span class="hint">{result}</span>}
    </span>
  );
}

/** A progress bar; without a total it is indeterminate. */
export function Bar({ label, done, total }: { label: string; done: number; total: number | undefined }) {
  const isKnown = total !== undefined && total > 0;
  return (
    <div class="bar">
      <p>{label}</p>
      <progress aria-label={label} {...(isKnown ? { value: Math.min(done, total), max: total } : {})} />
    </div>
  );
}

/** A sentence that contains a relative time, with the exact time as its tooltip. */
export function At({ text, at }: { text: string; at: string | undefined }) {
  const { moment } = useFormat();
  if (at === undefined) return null;
  return (
    <time dateTime={at} title={at}>
      {fill(text, { time: moment(at) })}
    </time>
  );
}

/** Several times in a row, without unknown ones. */
export function Moments({
  moments,
}: {
  moments: readonly (readonly [text: string, at: string | undefined])[];
}) {
  const known = moments.filter(([, at]) => at !== undefined);
  return (
    <>
      {known.map(([text, at], index) => (
        <Fragment key={text}>
          {index === 0 ? '' : ' · '}
          <At text={text} at={at} />
        </Fragment>
      ))}
    </>
  );
}
