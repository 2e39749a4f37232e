import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { PluralForms } from '../text/texts.ts';
import { fill, localeOf, plural, useSetting } from '../ui/text.tsx';
import type { ConsoleClient } from './client.ts';
import type { Connection } from './connection.ts';
import type { Navigation, Place } from './navigation.ts';
import type { SessionKeeper } from './session.ts';

/** What every part of the console works with. */
export interface Tools {
  readonly client: ConsoleClient;
  readonly navigation: Navigation;
  readonly session: SessionKeeper;
  readonly connection: Connection;
  /** Says that something was done, for a while, to whoever looks or listens. */
  readonly announce: (text: string) => void;
}

export const ToolsContext = createContext<Tools | null>(null);

export function useTools(): Tools {
  const tools = useContext(ToolsContext);
  if (tools === null) throw new Error('a component stands outside of the console');
  return tools;
}

/** The console's part of the catalogue of texts. */
export function useWords() {
  return useSetting().texts.console;
}

/** Whoever is signed in; the page is only shown to somebody who is. */
export function useCaller() {
  const state = useSessionState();
  if (!('session' in state)) throw new Error('nobody is signed in');
  return state.session;
}

export function useSessionState() {
  const { session } = useTools();
  return useSource(session.subscribe, session.state);
}

export function usePlace(): Place {
  const { navigation } = useTools();
  return useSource(navigation.subscribe, navigation.place);
}

/** A value that is kept elsewhere and tells when it changes. */
export function useSource<T>(subscribe: (changed: () => void) => () => void, read: () => T): T {
  const [value, set] = useState(read);
  useEffect(() => {
    // it may have changed between the first look and now
    set(() => read());
    return subscribe(() => set(() => read()));
  }, [subscribe, read]);
  return value;
}

/** Numbers, days and moments, as the reader's language writes them. */
export function useFormat() {
  const { language } = useSetting();
  const locale = localeOf(language);
  return {
    number: (value: number) => new Intl.NumberFormat(locale).format(value),
    /** A text for a number, with further values in it. */
    count: (forms: PluralForms, value: number, values: Readonly<Record<string, string | number>> = {}) =>
      fill(plural(language, forms, value), values),
    /** A day without a time: of UTC, as the service counts them. */
    day: (day: string) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day)),
    moment: (at: string) => {
      const date = new Date(at);
      if (Number.isNaN(date.getTime())) return at;
      return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
    },
    language,
    locale,
  };
}
