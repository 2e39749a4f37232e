import { readPageData } from '../ui/page-data.ts';
import { ProblemNotice } from '../ui/problem.tsx';
import { startPage } from '../ui/start-page.tsx';
import { type Setting, Untrusted } from '../ui/text.tsx';

interface Certificate {
  readonly name?: string;
  readonly url?: string;
}

export function start(setting: Setting): void {
  const { answer, problem } = readPageData<Certificate>();
  const { title } = setting.texts.certificate;
  startPage(
    setting,
    problem === undefined ? (
      <>
        <h1>{title}</h1>
        <p>
          <Untrusted text={answer?.name ?? answer?.url ?? ''} />
        </p>
      </>
    ) : (
      <ProblemNotice problem={problem} />
    ),
  );
}
