import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { CallError } from './call-error.ts';
import type { CallBody, CallId, CallInput } from './calls.ts';
import { useTools } from './tools.ts';

/** Data loaded from the service, and a way to load it again. */
export interface Loaded<T> {
  readonly value?: T;
  /** Why the last attempt failed. */
  readonly error?: CallError;
  readonly isLoading: boolean;
  /** Loads it again; the present value stays visible meanwhile. */
  reload(): void;
  /** Replaces the value by the result of another call. */
  replace(value: T): void;
}

interface Kept<T> {
  readonly value?: T;
  readonly error?: CallError;
  readonly isLoading: boolean;
}

/** Loads data when the component mounts, and again when a key changes. */
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
    // the keys determine when to load again
  }, [...keys, asked]);
  const reload = useCallback(() => askAgain((times) => times + 1), []);
  const replace = useCallback((value: T) => keep({ value, isLoading: false }), []);
  // a value for the previous keys must not appear with the new ones
  const shown = isOther ? { isLoading: true } : kept;
  return { ...shown, reload, replace };
}

/** Loads the response of a call, and again when its input changes. */
export function useCall<Id extends CallId>(id: Id, input: CallInput<Id>): Loaded<CallBody<Id>> {
  const { client } = useTools();
  return useLoad((signal) => client.call(id, input, { signal }), [id, JSON.stringify(input)]);
}

function withoutError<T>({ value }: Kept<T>): Partial<Kept<T>> {
  return value === undefined ? {} : { value };
}

/** Any error other than a `CallError` is a fault of the page, reported as `unexpected`. */
export function callErrorOf(error: unknown): CallError {
  return error instanceof CallError ? error : new CallError('unexpected', String(error));
}

/** Repeats a call while the page is visible and `wanted` is true. */
export function useRepeat(again: () => void, milliseconds: number, wanted: boolean): void {
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    if (!wanted) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && latest.current(), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, wanted]);
}

/** An action started by the user. */
export interface Action<A extends readonly unknown[]> {
  run(...args: A): Promise<boolean>;
  readonly isBusy: boolean;
  readonly error?: CallError;
  forget(): void;
}

/** Runs one action at a time and keeps the error. `run` returns whether it succeeded. */
export function useAction<A extends readonly unknown[]>(act: (...args: A) => Promise<void>): Action<A> {
  const [state, set] = useState<{ isBusy: boolean; error?: CallError }>({ isBusy: false });
  const busy = useRef(false);
  const latest = useRef(act);
  latest.current = act;
  const run = useCallback(async (...args: A) => {
    if (busy.current) return false;
    busy.current = true;
    set({ isBusy: true });
    try {
      await latest.current(...args);
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
