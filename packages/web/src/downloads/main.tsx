import type { Downloads } from '@touchstone/contract';
import { type PageData, readPageData } from '../ui/page-data.ts';
import { ProblemNotice } from '../ui/problem.tsx';
import { startPage } from '../ui/start-page.tsx';
import type { Setting } from '../ui/text.tsx';
import { DownloadsPage } from './downloads-page.tsx';

export function start(setting: Setting): void {
  const data = readPageData<Downloads>();
  startPage(setting, content(data));
}

function content({ answer, problem, baseUrl }: PageData<Downloads>) {
  if (answer !== undefined) return <DownloadsPage {...answer} baseUrl={baseUrl} />;
  return problem === undefined ? null : <ProblemNotice problem={problem} />;
}
