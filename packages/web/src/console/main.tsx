import { render } from 'preact';
import { type Setting, SettingContext } from '../ui/text.tsx';
import { App } from './app.tsx';
import { createConsoleClient } from './client.ts';
import { createConnection } from './connection.ts';
import { createNavigation, hrefOfClick } from './navigation.ts';
import { href } from './routes.ts';
import { createSessionKeeper } from './session.ts';
import { ToolsContext } from './tools.ts';

/** Milliseconds for which an announcement is shown. */
const ANNOUNCED_FOR = 8_000;

export function start(setting: Setting): void {
  const root = document.getElementById('page');
  if (root === null) throw new Error('the document has no place for a page');
  const connection = createConnection();
  const asking = { fetch: fetch.bind(window), connection, sleep };
  const session = createSessionKeeper({
    // the calls that sign in do not wait for a sign-in
    call: createConsoleClient({ ...asking, credentials: { csrfToken: () => session.csrfToken() } }).call,
    onOther: () => location.assign(href('home', {})),
  });
  const client = createConsoleClient({ ...asking, credentials: session });
  const navigation = createNavigation(window);
  document.addEventListener('click', (event) => {
    const target = hrefOfClick(event, location.origin);
    if (target === undefined) return;
    event.preventDefault();
    moveTo(target);
  });
  const moveTo = (target: string) => {
    const isOther = target.split('?')[0] !== location.pathname;
    navigation.go(target);
    if (!isOther) return;
    document.documentElement.dataset.moved = 'yes';
    scrollTo(0, 0);
  };
  window.addEventListener('popstate', () => {
    document.documentElement.dataset.moved = 'yes';
  });
  root.textContent = '';
  let forgetting: ReturnType<typeof setTimeout> | undefined;
  const announce = (text: string) => {
    const place = document.getElementById('announced');
    // screen readers announce the same text again only if it changes
    if (place !== null) place.textContent = place.textContent === text ? `${text}\u00a0` : text;
    clearTimeout(forgetting);
    forgetting = setTimeout(() => place?.replaceChildren(), ANNOUNCED_FOR);
  };
  render(
    <SettingContext.Provider value={setting}>
      <ToolsContext.Provider
        value={{
          client,
          navigation: {
            ...navigation,
            go: (to, how) => (how === 'replace' ? navigation.go(to, how) : moveTo(to)),
          },
          session,
          connection,
          announce,
        }}
      >
        <App />
      </ToolsContext.Provider>
    </SettingContext.Provider>,
    root,
  );
  void session.start();
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
