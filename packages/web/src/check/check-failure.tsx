import { useEffect, useState } from 'preact/hooks';
import { fill, plural, Untrusted, useSetting } from '../ui/text.tsx';
import type { CheckState } from './use-checks.ts';

type Trouble = Extract<CheckState, { kind: 'trouble' }>['trouble'];

/** Explains why there is no verdict: too many requests, or a fault of the service; it makes no statement about the page. */
export function CheckFailure({ trouble, onAgain }: { trouble: Trouble; onAgain(): void }) {
  const { language, texts } = useSetting();
  const { trouble: words } = texts.check;
  const wait = useSecondsLeft(trouble.kind === 'problem' ? trouble.retryAfter : undefined, trouble);
  const isLimited = trouble.kind === 'problem' && trouble.status === 429;
  const name = nameOf(trouble);
  return (
    <section
      class="notice"
      data-tone={isLimited ? 'neutral' : 'caution'}
      aria-labelledby="trouble"
      data-trouble={name}
    >
      <h1 id="trouble" tabIndex={-1}>
        {words[`${name}Title`]}
      </h1>
      {name === 'limited' ? (
        <p aria-live="off">{plural(language, words.limited, wait)}</p>
      ) : (
        <p>{words[name]}</p>
      )}
      <button type="button" class="button" onClick={onAgain} disabled={isLimited && wait > 0}>
        {texts.common.tryAgain}
      </button>
      {trouble.kind === 'problem' && trouble.problem !== undefined ? (
        <p class="small">
          <Untrusted text={fill(texts.common.problem.requestId, { id: trouble.problem.requestId })} />
        </p>
      ) : null}
    </section>
  );
}

/** The name of its texts. */
function nameOf(trouble: Trouble): 'timeout' | 'offline' | 'ours' | 'limited' | 'refused' {
  if (trouble.kind === 'timeout') return 'timeout';
  if (trouble.kind === 'unreachable') return trouble.offline ? 'offline' : 'ours';
  if (trouble.status === 429) return 'limited';
  return trouble.status >= 500 ? 'ours' : 'refused';
}

/** Counts seconds down to 0, rounded up, so that the wait is over when it shows 0. */
function useSecondsLeft(seconds: number | undefined, anew: unknown): number {
  const [left, setLeft] = useState(seconds ?? 0);
  useEffect(() => {
    if (seconds === undefined) return undefined;
    const end = Date.now() + seconds * 1000;
    const tell = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
    tell();
    const timer = setInterval(tell, 500);
    return () => clearInterval(timer);
  }, [seconds, anew]);
  return left;
}
