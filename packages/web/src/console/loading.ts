import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { CallError } from './call-error.ts';

/** Something that is asked of the service: what is known of it so far, and how to ask again. */
export interface Loaded<T> {
  readonly value?: T;
  /** Why the last attempt came to nothing. */
  readonly error?: CallError;
  readonly isLoading: boolean;
  /** Asks again; what is known stays in view meanwhile. */
  reload(): void;
  /** Puts in its place what another call answered. */
  replace(value: T): void;
}

interface Kept<T> {
  readonly value?: T;
  readonly error?: CallError;
  readonly isLoading: boolean;
}

/** Asks when the page opens, and again when one of the keys changes. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [kept, keep] = useState<Kept<T>>({ isLoading: true });
  const [asked, askAgain] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const before = useRef(keys);
  const isOther = keys.some((key, index) => key !== before.current[index]);
  useEffect(() => {
    const stop = new AbortController();
    before.current = keys;
    keep((now) => ({ ...(isOther ? {} : withoutError(now)), isLoading: true }));
    latest.current(stop.signal).then(
      (value) => stop.signal.aborted || keep({ value, isLoading: false }),
      (error: unknown) =>
        stop.signal.aborted || keep((now) => ({ ...now, error: callErrorOf(error), isLoading: false })),
    );
    return () => stop.abort();
    // the keys say when to ask again
  }, [...keys, asked]);
  const reload = useCallback(() => askAgain((times) => times + 1), []);
  const replace = useCallback((value: T) => keep({ value, isLoading: false }), []);
  // nothing of the former keys may show under the new ones
  const shown = isOther ? { isLoading: true } : kept;
  return { ...shown, reload, replace };
}

function withoutError<T>({ value }: Kept<T>): Partial<Kept<T>> {
  return value === undefined ? {} : { value };
}

/** Anything else than a `CallError` is a fault of the page, told as one. */
export function callErrorOf(error: unknown): CallError {
  return error instanceof CallError ? error : new CallError('unexpected', String(error));
}

/** Calls again and again while the page is in view, as long as it is wanted. */
export function useRepeat(again: () => void, milliseconds: number, wanted: boolean): void {
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    if (!wanted) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && latest.current(), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, wanted]);
}

/** Something that somebody does by a button. */
export interface Action<A extends readonly unknown[]> {
  run(...given: A): Promise<boolean>;
  readonly isBusy: boolean;
  readonly error?: CallError;
  forget(): void;
}

/** Runs one at a time and keeps why it failed. `run` answers whether it went well. */
export function useAction<A extends readonly unknown[]>(act: (...given: A) => Promise<void>): Action<A> {
  const [state, set] = useState<{ isBusy: boolean; error?: CallError }>({ isBusy: false });
  const busy = useRef(false);
  const latest = useRef(act);
  latest.current = act;
  const run = useCallback(async (...given: A) => {
    if (busy.current) return false;
    busy.current = true;
    set({ isBusy: true });
    try {
      await latest.current(...given);
      set({ isBusy: false });
      return true;
    } catch (error) {
      set({ isBusy: false, error: callErrorOf(error) });
      return false;
    } finally {
      busy.current = false;
    }
  }, []);
  const forget = useCallback(() => set({ isBusy: false }), []);
  return { ...state, run, forget };
}
