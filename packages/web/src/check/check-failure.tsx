import { useEffect, useState } from 'preact/hooks';
import { fill, plural, Untrusted, useSetting } from '../ui/text.tsx';
import type { CheckState } from './use-checks.ts';

type Failure = Extract<CheckState, { kind: 'failure' }>['failure'];

/** Explains why there is no verdict: too many requests, or a fault of the service; it makes no statement about the page. */
export function CheckFailure({ failure, onAgain }: { failure: Failure; onAgain(): void }) {
  const { language, texts } = useSetting();
  const { failure: words } = texts.check;
  const wait = useSecondsLeft(failure.kind === 'problem' ? failure.retryAfter : undefined, failure);
  const isLimited = failure.kind === 'problem' && failure.status === 429;
  const name = nameOf(failure);
  return (
    <section
      class="notice"
      data-tone={isLimited ? 'neutral' : 'caution'}
      aria-labelledby="failure"
      data-failure={name}
    >
      <h1 id="failure" tabIndex={-1}>
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
      {failure.kind === 'problem' && failure.problem !== undefined ? (
        <p class="small">
          <Untrusted text={fill(texts.common.problem.requestId, { id: failure.problem.requestId })} />
        </p>
      ) : null}
    </section>
  );
}

/** The name of its texts. */
function nameOf(failure: Failure): 'timeout' | 'contradictory' | 'offline' | 'ours' | 'limited' | 'refused' {
  if (failure.kind === 'timeout' || failure.kind === 'contradictory') return failure.kind;
  if (failure.kind === 'unreachable') return failure.offline ? 'offline' : 'ours';
  if (failure.status === 429) return 'limited';
  return failure.status >= 500 ? 'ours' : 'refused';
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
