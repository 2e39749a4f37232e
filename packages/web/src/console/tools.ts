import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { PluralForms } from '../text/texts.ts';
import { fill, localeOf, plural, useSetting } from '../ui/text.tsx';
import type { ConsoleClient } from './client.ts';
import type { Connection } from './connection.ts';
import type { Navigation, Place } from './navigation.ts';
import type { SessionKeeper } from './session.ts';

/** Common dependencies of the console's parts. */
export interface Tools {
  readonly client: ConsoleClient;
  readonly navigation: Navigation;
  readonly session: SessionKeeper;
  readonly connection: Connection;
  /** Shows and announces for a while that something was done. */
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

/** The signed-in caller; only for pages that require a sign-in. */
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

/** The current value of an external store, kept up to date. */
export function useSource<T>(subscribe: (changed: () => void) => () => void, read: () => T): T {
  const [value, set] = useState(read);
  useEffect(() => {
    // it may have changed between the first read and the subscription
    set(() => read());
    return subscribe(() => set(() => read()));
  }, [subscribe, read]);
  return value;
}

/** Formats numbers, days and times for the user's language. */
export function useFormat() {
  const { language } = useSetting();
  const locale = localeOf(language);
  return {
    number: (value: number) => new Intl.NumberFormat(locale).format(value),
    /** A text with a number in the right plural form, and further values. */
    count: (forms: PluralForms, value: number, values: Readonly<Record<string, string | number>> = {}) =>
      fill(plural(language, forms, value), values),
    /** A day without a time, in UTC, as the service counts days. */
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
