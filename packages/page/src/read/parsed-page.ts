import type { PageReading, Platform } from '../types.ts';
import type { HtmlDocument } from './dom/document.ts';
import type { PageIndex } from './dom/page-index.ts';
import type { Findings } from './findings.ts';
import type { Graph } from './json-ld/graph.ts';
import type { PageLinks } from './links.ts';
import type { MetaMap } from './metas.ts';

/** A page that was parsed once, for everything that reads it. Untrusted data. */
export interface ParsedPage {
  readonly doc: HtmlDocument;
  readonly index: PageIndex;
  readonly metas: MetaMap;
  readonly links: PageLinks;
  /** All nodes of its JSON-LD. */
  readonly graph: Graph;
  readonly platform: Platform;
  /** The classes of `<body>`; empty without. */
  readonly bodyClass: string;
  readonly certificates: PageReading['certificates'];
  /** Findings are added to it. */
  readonly findings: Findings;
}

/** What a page states, as far as it was read. */
export type FactsReading = Pick<
  PageReading,
  'facts' | 'explanation' | 'statements' | 'statesProduct' | 'claims'
>;

/**
 * Reads the facts of a page: `readFacts` of `@touchstone/facts`. Not called for a gate. It stops with `WorkSpent` where it takes more
 * steps than allowed, which `readPage` catches.
 */
export type ReadFacts = (page: ParsedPage) => FactsReading;
