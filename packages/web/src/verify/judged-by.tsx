import { Fill, Moment, useTexts } from '../ui/text.tsx';

/** The name of the verifier, the time, and what it could not check. */
export function JudgedBy({ verifier, at }: { verifier: string; at: Date }) {
  const { result: words } = useTexts().verify;
  return (
    <div class="judged-by small">
      <p>{words.registry}</p>
      <p>
        <Fill text={words.by} values={{ verifier, when: <Moment at={at.toISOString()} /> }} />
      </p>
    </div>
  );
}
