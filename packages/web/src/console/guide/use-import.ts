import type { ImportView } from '@touchstone/contract';
import { useEffect, useState } from 'preact/hooks';
import type { CallError } from '../call-error.ts';
import { addressOf } from '../client.ts';
import { callErrorOf } from '../loading.ts';
import { useTools } from '../tools.ts';

/** Milliseconds before a stream that broke is opened again. */
const AGAIN_AFTER = 2_000;

/** An import as it moves, told by the service as it happens; asked for where the stream breaks. */
export function useImport(importId: string | undefined): {
  readonly value?: ImportView;
  readonly error?: CallError;
} {
  const { client } = useTools();
  const [state, set] = useState<{ value?: ImportView; error?: CallError }>({});
  useEffect(() => {
    set({});
    if (importId === undefined) return;
    const stop = new AbortController();
    let events: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (event: MessageEvent<string>) => set({ value: JSON.parse(event.data) as ImportView });
    const open = () => {
      events = new EventSource(
        addressOf('/api/v1/registry/imports/{import_id}/events', { import_id: importId }),
      );
      events.addEventListener('progress', take);
      events.addEventListener('end', (event) => {
        take(event);
        events?.close();
      });
      events.addEventListener('error', () => {
        events?.close();
        void ask();
      });
    };
    // a stream does not say why it broke; a call does, and asks for a sign-in where the session is over
    const ask = async () => {
      try {
        const value = await client.call(
          'getImport',
          { params: { import_id: importId } },
          { signal: stop.signal },
        );
        if (stop.signal.aborted) return;
        set({ value });
        if (!hasEnded(value)) timer = setTimeout(open, AGAIN_AFTER);
      } catch (error) {
        if (!stop.signal.aborted) set((now) => ({ ...now, error: callErrorOf(error) }));
      }
    };
    open();
    return () => {
      stop.abort();
      events?.close();
      clearTimeout(timer);
    };
  }, [client, importId]);
  return state;
}

export function hasEnded({ state }: Pick<ImportView, 'state'>): boolean {
  return state === 'done' || state === 'failed';
}
