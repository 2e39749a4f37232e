import type { AssetAnswer, ImageAnswer, MinimalImageAnswer } from '../certificate/answers.ts';
import { Gone } from '../certificate/gone.tsx';
import { type PageData, readPageData } from '../ui/page-data.ts';
import { startPage } from '../ui/start-page.tsx';
import type { Setting } from '../ui/text.tsx';
import { AssetPage } from './asset-page.tsx';
import { assetView, imageView } from './image-view.ts';
import { MinimalPage } from './minimal-page.tsx';

type Answer = AssetAnswer | ImageAnswer | MinimalImageAnswer;

export function start(setting: Setting): void {
  const data = readPageData<Answer>();
  startPage(setting, content(data));
}

function content({ answer, problem, address, baseUrl }: PageData<Answer>) {
  if (answer === undefined) return <Gone problem={problem} />;
  const place = { address, baseUrl };
  if (!('imageId' in answer)) return <AssetPage image={assetView(answer)} {...place} />;
  if ('proof' in answer) return <AssetPage image={imageView(answer)} {...place} />;
  return <MinimalPage certificate={answer} {...place} />;
}
