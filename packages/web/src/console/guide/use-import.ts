import type { ImportView } from '@touchstone/contract';
import { useEffect, useState } from 'preact/hooks';
import type { CallError } from '../call-error.ts';
import { addressOf } from '../client.ts';
import { callErrorOf } from '../loading.ts';
import { useTools } from '../tools.ts';

/** Milliseconds before a broken event stream is opened again. */
const AGAIN_AFTER = 2_000;

/** The progress of an import, from the service's event stream; by a call if the stream breaks. */
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
    // a broken stream gives no reason; a call does, and asks for a sign-in if the session has ended
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
