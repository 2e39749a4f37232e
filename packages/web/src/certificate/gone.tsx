import type { PageData } from '../ui/page-data.ts';
import { ProblemNotice } from '../ui/problem.tsx';
import { fill, Untrusted, useTexts } from '../ui/text.tsx';

/** Says that there is no certificate at this address, what that means, and what to do. */
export function Gone({ problem }: { problem: PageData<never>['problem'] }) {
  const { certificate, common } = useTexts();
  const { gone } = certificate;
  if (problem === undefined) return null;
  const code = 'code' in problem ? problem.code : 'malformed';
  if (!Object.hasOwn(gone, code)) return <ProblemNotice problem={problem} />;
  const { title, text, next } = gone[code as keyof typeof gone];
  return (
    <section class="notice gone" data-tone="neutral" data-code={code}>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      <p>{next}</p>
      <p>
        <a class="button" href="/">
          {common.problem.checkInstead}
        </a>
      </p>
      {'requestId' in problem ? (
        <p class="small">
          <Untrusted text={fill(common.problem.requestId, { id: problem.requestId })} />
        </p>
      ) : null}
    </section>
  );
}
