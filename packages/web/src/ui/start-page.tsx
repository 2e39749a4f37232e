import { type ComponentChildren, render } from 'preact';
import { Frame } from './frame.tsx';
import { type Setting, SettingContext } from './text.tsx';

/** Renders a page in its frame, replacing the content for visitors without scripts. */
export function startPage(setting: Setting, content: ComponentChildren): void {
  const root = document.getElementById('page');
  if (root === null) throw new Error('the document has no place for a page');
  root.textContent = '';
  render(
    <SettingContext.Provider value={setting}>
      <Frame>{content}</Frame>
    </SettingContext.Provider>,
    root,
  );
}
