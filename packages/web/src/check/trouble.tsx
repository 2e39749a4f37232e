import { useEffect, useState } from 'preact/hooks';
import { plural, Untrusted, useSetting } from '../ui/text.tsx';
import type { CheckState } from './use-checks.ts';

type Trouble = Extract<CheckState, { kind: 'trouble' }>['trouble'];

/** Why there is no verdict: too much asked, or a fault of ours; never a word about the page. */
export function Trouble({ trouble, onAgain }: { trouble: Trouble; onAgain(): void }) {
  const { language, texts } = useSetting();
  const { trouble: words } = texts.check;
  const faults: Readonly<Record<string, string>> = texts.faults;
  const wait = useSecondsLeft(trouble.kind === 'problem' ? trouble.retryAfter : undefined, trouble);
  const isLimited = trouble.kind === 'problem' && trouble.status === 429;
  const [title, text] = wordsFor(trouble, words);
  const code = trouble.kind === 'problem' ? trouble.problem?.code : undefined;
  const sentence = code === undefined ? undefined : (faults[code] ?? trouble.kind);
  return (
    <section class="notice" data-tone={isLimited ? 'neutral' : 'caution'} aria-labelledby="trouble">
      <h1 id="trouble" tabIndex={-1}>
        {title}
      </h1>
      <p>{text ?? sentence}</p>
      {text !== undefined && sentence !== undefined && !isLimited ? <p class="small">{sentence}</p> : null}
      {isLimited ? <p aria-live="off">{plural(language, words.limited, wait)}</p> : null}
      <button type="button" class="button" onClick={onAgain} disabled={isLimited && wait > 0}>
        {texts.common.tryAgain}
      </button>
      {trouble.kind === 'problem' && trouble.problem !== undefined ? (
        <p class="small">
          <Untrusted text={trouble.problem.requestId} code />
        </p>
      ) : null}
    </section>
  );
}

function wordsFor(
  trouble: Trouble,
  words: Record<string, unknown> & Record<`${string}Title`, string>,
): [string, string | undefined] {
  const pick = (name: string): [string, string | undefined] => {
    const text = words[name];
    return [words[`${name}Title`] ?? '', typeof text === 'string' ? text : undefined];
  };
  if (trouble.kind === 'timeout') return pick('timeout');
  if (trouble.kind === 'unreachable') return pick(trouble.offline ? 'offline' : 'ours');
  if (trouble.status === 429) return pick('limited');
  return pick(trouble.status >= 500 ? 'ours' : 'refused');
}

/** Counts down to 0; a second more than told, so that it is over when it says so. */
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
