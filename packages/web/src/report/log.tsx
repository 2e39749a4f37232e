import type { LogFinding } from '@touchstone/certificate/verify';
import { Fill, Untrusted, useTexts } from '../ui/text.tsx';

/** Whether the proof is in a transparency log, each step of finding that out, and by whose policy. */
export function LogFact({ log }: { log: LogFinding | undefined }) {
  const { report, logReasons } = useTexts();
  const { log: words, checks } = report;
  if (log === undefined) return null;
  const { status, reason, origin, index, treeSize, witnesses = [], steps } = log;
  const state = status ?? 'unknown';
  return (
    <section aria-labelledby="log">
      <h2 id="log">{words.title}</h2>
      <p data-log={state} data-reason={reason}>
        <strong>{words.states[state]}</strong> {logReasons[reason]}
      </p>
      {origin === undefined ? null : (
        <p class="small">
          <Fill
            text={words.place}
            values={{ index: String(index), size: String(treeSize), origin: <Untrusted text={origin} /> }}
          />
        </p>
      )}
      <ol>
        {steps.map(({ step, result, reason: why }) => (
          <li
            key={step}
            data-step={step}
            data-state={result === null ? 'not-run' : result ? 'passed' : 'failed'}
          >
            {words.steps[step]}{' '}
            <strong>{result === null ? checks.notRun : result ? checks.passed : checks.failed}</strong>
            {why === 'ok' || why === 'log_not_looked_at' ? null : (
              <span class="small"> {logReasons[why]}</span>
            )}
            {step === 'quorum' && witnesses.length > 0 ? (
              <span class="small"> {witnesses.join(', ')}</span>
            ) : null}
          </li>
        ))}
      </ol>
      <p class="small">{words.policy}</p>
    </section>
  );
}
