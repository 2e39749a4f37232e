import { setTimeout as delay } from 'node:timers/promises';
import type { ImportView } from '@touchstone/contract';

/** Milliseconds between two reads of the import. */
const INTERVAL = 500;
/** Unchanged reads after which a comment is sent, so that no proxy closes an idle connection. */
const KEEP_ALIVE = 30;

/**
 * Server-sent events (WHATWG HTML, section 9.2) about an import, until it has ended, the client disconnects, or this node
 * shuts down.
 */
export async function* importEvents(
  first: ImportView,
  read: () => Promise<ImportView>,
  { signal, isDraining }: { readonly signal: AbortSignal; readonly isDraining: () => boolean },
): AsyncGenerator<string, void, undefined> {
  let last = '';
  let unchanged = 0;
  for (let view = first; ; view = await read()) {
    const text = JSON.stringify(view);
    const hasEnded = view.finishedAt !== undefined;
    if (text !== last) yield `event: ${hasEnded ? 'end' : 'progress'}\ndata: ${text}\n\n`;
    else if (++unchanged % KEEP_ALIVE === 0) yield ': waiting\n\n';
    last = text;
    if (hasEnded || isDraining()) return;
    await delay(INTERVAL, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
  }
}
