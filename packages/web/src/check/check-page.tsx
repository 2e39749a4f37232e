import type { PageReport } from '@touchstone/contract';
import { useEffect, useRef } from 'preact/hooks';
import type { PageData } from '../ui/page-data.ts';
import { ProblemNotice } from '../ui/problem.tsx';
import { useTexts } from '../ui/text.tsx';
import { CheckFailure } from './check-failure.tsx';
import { CheckForm } from './check-form.tsx';
import { ReportView } from './report-view.tsx';
import { Running } from './running.tsx';
import { type CheckState, urlInAddress, useChecks } from './use-checks.ts';

/** Checks a page, or shows an earlier check. */
export function CheckPage({ data }: { data: PageData<PageReport> }) {
  const { check: words } = useTexts();
  const { state, check, stop } = useChecks(data.answer);
  const place = useRef<HTMLDivElement>(null);
  // moves the focus to the result, for users who cannot see that it has arrived
  useEffect(() => {
    if (state.kind === 'report' && !state.kept) place.current?.querySelector<HTMLElement>('h1')?.focus();
    if (state.kind === 'failure') place.current?.querySelector<HTMLElement>('h1')?.focus();
  }, [state]);
  const url = urlOf(state);
  const isIntroduced = state.kind === 'none' && data.problem === undefined;
  return (
    <div class="check-page" data-state={state.kind}>
      {isIntroduced ? (
        <div class="intro">
          <h1>{words.title}</h1>
          <p class="lead">{words.lead}</p>
        </div>
      ) : null}
      <CheckForm url={url} isRunning={state.kind === 'running'} onCheck={check} onStop={stop} />
      <div ref={place} class="outcome-place" aria-live="polite" aria-busy={state.kind === 'running'}>
        {state.kind === 'none' && data.problem !== undefined ? (
          <GoneOrProblem problem={data.problem} />
        ) : null}
        {state.kind === 'running' ? <Running url={state.url} since={state.since} /> : null}
        {state.kind === 'failure' ? (
          <CheckFailure failure={state.failure} onAgain={() => check(state.url)} />
        ) : null}
        {state.kind === 'report' ? <ReportView state={state} baseUrl={data.baseUrl} onCheck={check} /> : null}
      </div>
      {isIntroduced ? <How /> : null}
    </div>
  );
}

/** An expired earlier result is no error: the field above is ready for a new check. */
function GoneOrProblem({ problem }: { problem: NonNullable<PageData<never>['problem']> }) {
  const { gone } = useTexts().check;
  if (problem.status >= 500) return <ProblemNotice problem={problem} />;
  return (
    <section class="notice" data-tone="neutral">
      <h1>{gone.title}</h1>
      <p>{gone.text}</p>
      <p>{gone.next}</p>
    </section>
  );
}

function How() {
  const { how, retention } = useTexts().check;
  return (
    <>
      <section class="how" aria-labelledby="how">
        <h2 id="how">{how.title}</h2>
        <ol>
          {how.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ol>
      </section>
      <section class="how" aria-labelledby="retention">
        <h2 id="retention">{retention.title}</h2>
        <ul>
          {retention.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </section>
    </>
  );
}

function urlOf(state: CheckState): string {
  if (state.kind === 'report') return state.report.url;
  if (state.kind === 'none') return urlInAddress() ?? '';
  return state.url;
}
