import { type PageData, readPageData } from '../ui/page-data.ts';
import { startPage } from '../ui/start-page.tsx';
import type { Setting } from '../ui/text.tsx';
import type { ProductAnswer } from './answers.ts';
import { Gone } from './gone.tsx';
import { ProductPage } from './product-page.tsx';

export function start(setting: Setting): void {
  const data = readPageData<ProductAnswer>();
  startPage(setting, content(data));
}

function content(data: PageData<ProductAnswer>) {
  const { answer, problem, address, baseUrl } = data;
  if (answer === undefined) return <Gone problem={problem} />;
  return <ProductPage certificate={answer} address={address} baseUrl={baseUrl} />;
}
