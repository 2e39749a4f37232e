/** The present location in the console: the address without the origin. */
export interface Place {
  readonly path: string;
  /** The query without the `?`; empty if there is none. */
  readonly search: string;
}

/** Navigates between pages of the console without reloading; the back button works. */
export interface Navigation {
  place(): Place;
  /** `replace`: replaces the current history entry, if going back to it makes no sense. */
  go(href: string, how?: 'push' | 'replace'): void;
  subscribe(changed: (place: Place) => void): () => void;
  dispose(): void;
}

type Surroundings = Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>;

/** Prefix of all paths of the console. */
export const BASE = '/console';

export function createNavigation(window: Surroundings): Navigation {
  const listeners = new Set<(place: Place) => void>();
  const read = (): Place => ({ path: window.location.pathname, search: window.location.search.slice(1) });
  let current = read();
  const tell = () => {
    current = read();
    for (const changed of listeners) changed(current);
  };
  window.addEventListener('popstate', tell);
  return {
    place: () => current,
    go(href, how = 'push') {
      const target = inSameLanguage(href, window.location.search);
      if (how === 'push') window.history.pushState(null, '', target);
      else window.history.replaceState(null, '', target);
      tell();
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    dispose: () => window.removeEventListener('popstate', tell),
  };
}

/** Keeps the chosen language, which is in the address. */
function inSameLanguage(href: string, search: string): string {
  const language = new URLSearchParams(search).get('lang');
  if (language === null || /[?&]lang=/.test(href)) return href;
  return `${href}${href.includes('?') ? '&' : '?'}${new URLSearchParams({ lang: language })}`;
}

/** The console address of a clicked link; `undefined` if the browser should follow it itself. */
export function hrefOfClick(event: MouseEvent, origin: string): string | undefined {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!plain || event.defaultPrevented || !(event.target instanceof Element)) return undefined;
  const link = event.target.closest('a');
  // another language has another script
  const isOwn = link === null || link.target !== '' || link.hasAttribute('download') || link.hreflang !== '';
  if (isOwn) return undefined;
  const url = URL.parse(link.href);
  const inside = url?.origin === origin && (url.pathname === BASE || url.pathname.startsWith(`${BASE}/`));
  return inside ? `${url.pathname}${url.search}` : undefined;
}
