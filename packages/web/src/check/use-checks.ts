import type { PageReport } from '@touchstone/contract';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type CallResult, call } from '../ui/call.ts';

/** What the page shows: nothing yet, a check under way, or what it came to. */
export type CheckState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly url: string; readonly since: number }
  | {
      readonly kind: 'report';
      readonly report: PageReport;
      readonly freshLeft?: number;
      readonly kept: boolean;
    }
  | {
      readonly kind: 'trouble';
      readonly url: string;
      readonly trouble: Exclude<CallResult<never>, { kind: 'answer' }>;
    };

export interface Checks {
  readonly state: CheckState;
  /** Checks a page, and writes that down in the address bar. */
  check(url: string, how?: How): void;
  /** Leads back to what was known of the address before. */
  stop(): void;
}

export interface How {
  readonly freshness?: 'cached' | 'fresh';
  readonly images?: 'match';
}

const PATH = '/api/v1/mc4p/page-checks';

/** Checks of this visit: one at a time, each in the address bar, so that back and forward lead through them. */
export function useChecks(first: PageReport | undefined): Checks {
  const initial: CheckState =
    first === undefined ? { kind: 'none' } : { kind: 'report', report: first, kept: true };
  const [state, setState] = useState<CheckState>(initial);
  const running = useRef<AbortController>(null);
  const seen = useRef(new Map<string, CheckState>([[here(), initial]]));
  const shown = useRef(here());

  const run = useCallback(async (url: string, { freshness = 'cached', images }: How) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: 'running', url, since: Date.now() });
    const body = { url, freshness, ...(images === undefined ? {} : { images }) };
    try {
      const result = await call<PageReport>(PATH, { method: 'POST', body, signal: controller.signal });
      const next = stateOf(result, url);
      seen.current.set(here(), next);
      setState(next);
    } catch {
      // stopped, or another check began
      if (running.current === controller) setState(seen.current.get(here()) ?? { kind: 'none' });
    }
  }, []);

  const check = useCallback(
    (url: string, how: How = {}) => {
      const address = addressOf(url);
      if (here() !== address) history.pushState(null, '', address);
      shown.current = here();
      void run(url, how);
    },
    [run],
  );

  useEffect(() => {
    const show = () => {
      // a link within the page
      if (here() === shown.current) return;
      shown.current = here();
      running.current?.abort();
      const url = urlInAddress();
      const known = seen.current.get(here());
      if (known !== undefined) setState(known);
      else if (url === null) setState(initial);
      else void run(url, {});
    };
    addEventListener('popstate', show);
    const url = urlInAddress();
    if (first === undefined && url !== null) void run(url, {});
    return () => removeEventListener('popstate', show);
  }, []);

  return { state, check, stop: () => running.current?.abort() };
}

function stateOf(result: CallResult<PageReport>, url: string): CheckState {
  if (result.kind !== 'answer') return { kind: 'trouble', url, trouble: result };
  const left = /;r=(\d+)/.exec(result.headers.get('ratelimit') ?? '')?.[1];
  return {
    kind: 'report',
    report: result.body,
    kept: false,
    ...(left === undefined ? {} : { freshLeft: Number(left) }),
  };
}

/** The address of what is shown, without the place in it. */
function here(): string {
  return location.pathname + location.search;
}

/** With the language, if one was chosen. */
function addressOf(url: string): string {
  const query = new URLSearchParams({ url });
  const language = new URLSearchParams(location.search).get('lang');
  if (language !== null) query.set('lang', language);
  return `/check?${query}`;
}

export function urlInAddress(): string | null {
  return location.pathname === '/check' || location.pathname === '/'
    ? new URLSearchParams(location.search).get('url')
    : null;
}
