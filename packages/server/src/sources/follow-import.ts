import { setTimeout as delay } from 'node:timers/promises';
import type { ImportView } from '@touchstone/contract';

/** Milliseconds between two looks. */
const EVERY = 500;
/** Looks after which something is said, so that no proxy takes the silence for an end. */
const SILENT = 30;

/**
 * Server-sent events (WHATWG HTML, section 9.2) about an import, until it has ended, whoever listens leaves, or this node
 * shuts down.
 */
export async function* importEvents(
  first: ImportView,
  look: () => Promise<ImportView>,
  { signal, isDraining }: { readonly signal: AbortSignal; readonly isDraining: () => boolean },
): AsyncGenerator<string, void, undefined> {
  let last = '';
  let silent = 0;
  for (let view = first; ; view = await look()) {
    const text = JSON.stringify(view);
    const hasEnded = view.finishedAt !== undefined;
    if (text !== last) yield `event: ${hasEnded ? 'end' : 'progress'}\ndata: ${text}\n\n`;
    else if (++silent % SILENT === 0) yield ': waiting\n\n';
    last = text;
    if (hasEnded || isDraining()) return;
    await delay(EVERY, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
  }
}
