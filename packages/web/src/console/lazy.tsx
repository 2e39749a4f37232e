import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { callErrorOf } from './loading.ts';
import { ErrorNotice, Waiting } from './parts/notices.tsx';
import { useWords } from './tools.ts';

/** A page whose script is loaded when it is first shown. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function LazyPage(props: P) {
    const words = useWords();
    const [state, set] = useState<{ readonly Page?: ComponentType<P>; readonly error?: unknown }>({});
    useEffect(() => {
      load().then(
        (Page) => set({ Page }),
        (error: unknown) => set({ error }),
      );
    }, []);
    if (state.error !== undefined)
      return <ErrorNotice error={callErrorOf(state.error)} again={() => location.reload()} />;
    return state.Page === undefined ? <Waiting text={words.loading} /> : <state.Page {...props} />;
  };
}
