import { readPageData } from '../ui/page-data.ts';
import { startPage } from '../ui/start-page.tsx';
import type { Setting } from '../ui/text.tsx';
import { VerifyPage } from './verify-page.tsx';

export function start(setting: Setting): void {
  const { baseUrl, formerBaseUrls = [] } = readPageData<never>();
  startPage(setting, <VerifyPage issuers={[baseUrl, ...formerBaseUrls]} />);
}
