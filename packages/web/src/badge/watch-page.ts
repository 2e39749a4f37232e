import type { PageName, PageNow } from './badge-result.ts';

/** Debounce interval in milliseconds: pages that change constantly are examined this often. */
const UPDATE_INTERVAL = 150;
/** Milliseconds after a change of address until the page is checked: shops change the address first and the content later. */
const SETTLING_TIME = 500;

interface PageWatch {
  /** The page as last examined. */
  now(): PageNow;
  /** Starts observing. */
  start(): void;
  stop(): void;
}

/**
 * Observes what a badge depends on: the address, also if a script changes it without loading a page, and the JSON-LD blocks. The page is
 * not modified, and `history` is not wrapped.
 */
export function watchPage(on: {
  /** The address has changed; `changed` follows when the content has had time to change. */
  readonly moved: () => void;
  /** The page must be checked. */
  readonly changed: () => void;
}): PageWatch {
  let page = readPage(undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;

  const update = () => {
    timer = undefined;
    const before = page;
    page = readPage(before);
    if (page.address !== before.address) {
      isDue = true;
      on.moved();
      timer = setTimeout(update, SETTLING_TIME);
    } else if (isDue || page !== before) {
      isDue = false;
      on.changed();
    }
  };
  const updateSoon = () => {
    timer ??= setTimeout(update, UPDATE_INTERVAL);
  };
  /** The tab is visible again, or the network is back. */
  const checkAgain = () => {
    if (document.visibilityState === 'hidden') return;
    isDue = true;
    updateSoon();
  };

  const observer = new MutationObserver(updateSoon);
  const navigation = (globalThis as { navigation?: EventTarget }).navigation;
  const listeners: readonly (readonly [EventTarget | undefined, string, () => void])[] = [
    [navigation, 'currententrychange', updateSoon],
    [window, 'popstate', updateSoon],
    [window, 'hashchange', updateSoon],
    [window, 'online', checkAgain],
    [document, 'visibilitychange', checkAgain],
  ];
  return {
    now: () => page,
    start() {
      page = readPage(page);
      observer.observe(document, {
        childList: true,
        subtree: true,
        characterData: true,
        attributes: true,
        attributeFilter: ['lang', 'type', 'content'],
      });
      for (const [target, event, listener] of listeners) target?.addEventListener(event, listener);
    },
    stop() {
      observer.disconnect();
      clearTimeout(timer);
      timer = undefined;
      for (const [target, event, listener] of listeners) target?.removeEventListener(event, listener);
    },
  };
}

/** @returns `before` if nothing has changed */
function readPage(before: PageNow | undefined): PageNow {
  const address = location.href;
  const found = Array.from(
    document.querySelectorAll('script[type^="application/ld+json" i]'),
    (script) => script.textContent ?? '',
  );
  const isSame =
    before?.blocks.length === found.length && found.every((text, i) => text === before.blocks[i]);
  const blocks = isSame && before !== undefined ? before.blocks : found;
  const now = readNames();
  const areSame = JSON.stringify(now) === JSON.stringify(before?.names);
  const names = areSame && before !== undefined ? before.names : now;
  return before?.address === address && before.blocks === blocks && areSame
    ? before
    : { address, blocks, names };
}

/** Headings that are read; a page has few. */
const MAX_HEADINGS = 12;
/** Characters of a name that are read. */
const MAX_NAME = 500;

/** Everything that a reader is shown as the name of the product: also by people who share the page. Hidden headings do not count. */
function readNames(): PageName[] {
  const headings = Array.from(document.querySelectorAll('h1'))
    .slice(0, MAX_HEADINGS)
    .filter((one) => one.checkVisibility?.() ?? true)
    .map((one): PageName => ({ source: 'h1', value: one.textContent ?? '' }));
  const previews = Array.from(
    document.querySelectorAll<HTMLMetaElement>('meta[property="og:title"],meta[name="twitter:title"]'),
    ({ content }): PageName => ({ source: 'og', value: content }),
  );
  return [...headings, { source: 'title' as const, value: document.title }, ...previews.slice(0, 3)]
    .map(({ source, value }) => ({ source, value: value.trim().slice(0, MAX_NAME) }))
    .filter(({ value }) => value !== '');
}
