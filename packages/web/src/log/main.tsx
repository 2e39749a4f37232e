import type { DomainLog } from '@touchstone/contract';
import { readPageData } from '../ui/page-data.ts';
import { startPage } from '../ui/start-page.tsx';
import type { Setting } from '../ui/text.tsx';
import { DomainLogPage } from './domain-log-page.tsx';

export function start(setting: Setting): void {
  startPage(setting, <DomainLogPage data={readPageData<DomainLog>()} />);
}
