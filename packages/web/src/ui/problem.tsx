import type { PageData } from './page-data.ts';
import { fill, Untrusted, useTexts } from './text.tsx';

/** Shown instead of the requested content: what failed, whose fault it is, and how to continue. */
export function ProblemNotice({ problem }: { problem: NonNullable<PageData<never>['problem']> }) {
  const { common, faults } = useTexts();
  const isOurs = problem.status >= 500;
  const code = 'code' in problem ? problem.code : undefined;
  const sentence = code !== undefined && code in faults ? faults[code as keyof typeof faults] : undefined;
  const { problem: words } = common;
  return (
    <section class="notice" data-tone={isOurs ? 'caution' : 'neutral'}>
      <h1>{isOurs ? words.unavailable : words.title}</h1>
      <p>{sentence ?? words.withdrawn}</p>
      {isOurs ? <p>{words.ours}</p> : null}
      <p>{isOurs ? <a href={location.href}>{common.tryAgain}</a> : <a href="/">{words.checkInstead}</a>}</p>
      {'requestId' in problem ? (
        <p class="small">
          <Untrusted text={fill(words.requestId, { id: problem.requestId })} />
        </p>
      ) : null}
    </section>
  );
}
