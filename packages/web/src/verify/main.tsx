import { startPage } from '../ui/start-page.tsx';
import type { Setting } from '../ui/text.tsx';

export function start(setting: Setting): void {
  const { title, lead } = setting.texts.verify;
  startPage(
    setting,
    <>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
    </>,
  );
}
