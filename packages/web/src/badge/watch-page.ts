import type { PageNow } from './badge-result.ts';

/** Milliseconds between a change of the document and the look at it: pages that change without end are looked at this often. */
const PACE = 150;
/** Milliseconds after a change of address until the page is judged: shops change the address first and the content later. */
const SETTLE = 500;

export interface PageWatch {
  /** The page as it was last seen. */
  now(): PageNow;
  /** Begins to watch. */
  start(): void;
  stop(): void;
}

/**
 * Watches what a badge depends on: the address, also where a page changes it without being loaded, and the JSON-LD blocks.
 * Nothing of the page is altered, and `history` is not wrapped.
 */
export function watchPage(on: {
  /** The address is another one; it is judged when the content has followed. */
  readonly moved: () => void;
  /** Something to judge. */
  readonly changed: () => void;
}): PageWatch {
  let page = lookAt(undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsked = false;

  const look = () => {
    timer = undefined;
    const before = page;
    page = lookAt(before);
    if (page.address !== before.address) {
      isAsked = true;
      on.moved();
      timer = setTimeout(look, SETTLE);
    } else if (isAsked || page !== before) {
      isAsked = false;
      on.changed();
    }
  };
  const lookSoon = () => {
    timer ??= setTimeout(look, PACE);
  };
  /** Time has passed, or the network is back. */
  const askAgain = () => {
    if (document.visibilityState === 'hidden') return;
    isAsked = true;
    lookSoon();
  };

  const observer = new MutationObserver(lookSoon);
  const navigation = (globalThis as { navigation?: EventTarget }).navigation;
  const listeners: readonly (readonly [EventTarget | undefined, string, () => void])[] = [
    [navigation, 'currententrychange', lookSoon],
    [window, 'popstate', lookSoon],
    [window, 'hashchange', lookSoon],
    [window, 'online', askAgain],
    [document, 'visibilitychange', askAgain],
  ];
  return {
    now: () => page,
    start() {
      page = lookAt(page);
      observer.observe(document, {
        childList: true,
        subtree: true,
        characterData: true,
        attributes: true,
        attributeFilter: ['lang', 'type'],
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

/** @returns `before` where nothing is different */
function lookAt(before: PageNow | undefined): PageNow {
  const address = location.href;
  const found = Array.from(
    document.querySelectorAll('script[type^="application/ld+json" i]'),
    (script) => script.textContent ?? '',
  );
  const isSame =
    before?.blocks.length === found.length && found.every((text, i) => text === before.blocks[i]);
  const blocks = isSame && before !== undefined ? before.blocks : found;
  return before?.address === address && before.blocks === blocks ? before : { address, blocks };
}
