import type { Site } from '@touchstone/contract';
import { readPageData } from '../ui/page-data.ts';
import { startPage } from '../ui/start-page.tsx';
import type { Setting } from '../ui/text.tsx';
import { SitePage } from './site-page.tsx';

export function start(setting: Setting): void {
  startPage(setting, <SitePage data={readPageData<Site>()} />);
}
