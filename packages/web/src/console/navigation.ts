/** Where in the console one is: what the address says, without the origin. */
export interface Place {
  readonly path: string;
  /** As it stands behind the `?`; empty where there is none. */
  readonly search: string;
}

/** Moves between pages of the console without loading anew; the back button works. */
export interface Navigation {
  place(): Place;
  /** `replace`: the present entry of the history is overwritten, for what nobody would go back to. */
  go(href: string, how?: 'push' | 'replace'): void;
  subscribe(changed: (place: Place) => void): () => void;
  dispose(): void;
}

type Surroundings = Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>;

/** Every address of the console begins so. */
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

/** A language that somebody chose stands in the address, and goes along. */
function inSameLanguage(href: string, search: string): string {
  const language = new URLSearchParams(search).get('lang');
  if (language === null || /[?&]lang=/.test(href)) return href;
  return `${href}${href.includes('?') ? '&' : '?'}${new URLSearchParams({ lang: language })}`;
}

/** The address in the console that a click asks for; `undefined` where the browser should follow it itself. */
export function hrefOfClick(event: MouseEvent, origin: string): string | undefined {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!plain || event.defaultPrevented || !(event.target instanceof Element)) return undefined;
  const link = event.target.closest('a');
  // another language is another script
  const isOwn = link === null || link.target !== '' || link.hasAttribute('download') || link.hreflang !== '';
  if (isOwn) return undefined;
  const url = URL.parse(link.href);
  const inside = url?.origin === origin && (url.pathname === BASE || url.pathname.startsWith(`${BASE}/`));
  return inside ? `${url.pathname}${url.search}` : undefined;
}
