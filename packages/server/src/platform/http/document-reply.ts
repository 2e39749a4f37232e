import type { Reply } from './operation.ts';
import type { RenderedDocument } from './rendered-document.ts';

/** A document that was rendered before, sent as the bytes that it is. */
export function documentReply(document: RenderedDocument): Reply {
  return { status: 200, headers: document.headers, body: document.body };
}
