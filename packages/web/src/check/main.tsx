import type { PageReport } from '@touchstone/contract';
import { readPageData } from '../ui/page-data.ts';
import { startPage } from '../ui/start-page.tsx';
import type { Setting } from '../ui/text.tsx';
import { CheckPage } from './check-page.tsx';

export function start(setting: Setting): void {
  startPage(setting, <CheckPage data={readPageData<PageReport>()} />);
}
