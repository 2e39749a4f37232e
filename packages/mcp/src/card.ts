import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import { VERDICT_CARD } from './verdict-card.ts';

/** The extension of MCP Apps (SEP-1865, stable since 2026-01-26). */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui';

/** The address of the card, which tools name in `_meta.ui.resourceUri`. */
export const CARD_URI = 'ui://touchstone/verdict.html';

/**
 * The card that clients show beside the answer of a tool: the conclusion in the words of the pages, in English and Spanish. Without a `csp`,
 * a client permits it no request.
 */
export const CARD: Resource = {
  name: 'verdict',
  uri: CARD_URI,
  title: 'Verdict',
  description: 'Shows the answer of a tool as a card.',
  mimeType: 'text/html;profile=mcp-app',
  _meta: { ui: { prefersBorder: true } },
};

export function readCard(): ReadResourceResult {
  const { uri, mimeType, _meta } = CARD;
  return { contents: [{ uri, mimeType, text: VERDICT_CARD, _meta }] };
}
