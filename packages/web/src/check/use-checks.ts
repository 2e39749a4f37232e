import { reportContradictions } from '@touchstone/certificate';
import type { PageCheckAnswer } from '@touchstone/contract';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type CallResult, call } from '../ui/call.ts';

/** What the page shows: nothing, a running check, or its result. */
export type CheckState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly url: string; readonly since: number }
  | {
      readonly kind: 'report';
      readonly report: PageCheckAnswer;
      readonly freshLeft?: number;
      readonly kept: boolean;
    }
  | {
      readonly kind: 'failure';
      readonly url: string;
      readonly failure: Exclude<CallResult<never>, { kind: 'answer' }> | { readonly kind: 'contradictory' };
    };

export interface Checks {
  readonly state: CheckState;
  /** Checks a page, and records the check in the browser's history. */
  check(url: string, how?: How): void;
  /** Cancels the check, and restores the earlier result for the address. */
  stop(): void;
}

export interface How {
  readonly freshness?: 'cached' | 'fresh';
  readonly images?: 'match';
  readonly receipt?: true;
}

const PATH = '/api/v1/mc4p/page-checks';

/** The checks of this visit, one at a time. Each has an entry in the browser's history, so that back and forward switch between them. */
export function useChecks(first: PageCheckAnswer | undefined): Checks {
  const initial: CheckState =
    first === undefined
      ? { kind: 'none' }
      : unlessContradictory({ kind: 'report', report: first, kept: true });
  const [state, setState] = useState<CheckState>(initial);
  const running = useRef<AbortController>(null);
  const states = useRef(new Map<string, CheckState>([[here(), initial]]));
  const shown = useRef(here());

  const run = useCallback(async (url: string, { freshness = 'cached', images, receipt }: How) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: 'running', url, since: Date.now() });
    const body = { url, freshness, images, receipt };
    try {
      const result = await call<PageCheckAnswer>(PATH, { method: 'POST', body, signal: controller.signal });
      const next = stateOf(result, url);
      states.current.set(here(), next);
      setState(next);
    } catch {
      // cancelled; unless another check has started
      if (running.current === controller) setState(states.current.get(here()) ?? { kind: 'none' });
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
      // a link to a fragment of this page
      if (here() === shown.current) return;
      shown.current = here();
      running.current?.abort();
      const url = urlInAddress();
      const known = states.current.get(here());
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

function stateOf(result: CallResult<PageCheckAnswer>, url: string): CheckState {
  if (result.kind !== 'answer') return { kind: 'failure', url, failure: result };
  const left = /;r=(\d+)/.exec(result.headers.get('ratelimit') ?? '')?.[1];
  const shown = { kind: 'report', report: result.body, kept: false } as const;
  return unlessContradictory(left === undefined ? shown : { ...shown, freshLeft: Number(left) }, url);
}

/** A report on another page, or with a verdict that it does not support itself, is no result. */
function unlessContradictory(state: Extract<CheckState, { kind: 'report' }>, url?: string): CheckState {
  const { report } = state;
  if (reportContradictions(report, { url }).length === 0) return state;
  return { kind: 'failure', url: url ?? report.url, failure: { kind: 'contradictory' } };
}

/** The address of the present view, without the fragment. */
function here(): string {
  return location.pathname + location.search;
}

/** Includes the language, if one was chosen. */
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
