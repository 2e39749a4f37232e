import { NO_FACTS, type PageReading, type ReadOptions } from '../types.ts';
import { BOUNDS } from './bounds.ts';
import { decodePage } from './charset.ts';
import { buildDocument } from './dom/build.ts';
import { indexPage } from './dom/page-index.ts';
import { Findings } from './findings.ts';
import { detectGate } from './gate.ts';
import { readJsonLdBlocks } from './json-ld/blocks.ts';
import { findCertificates, readGraph } from './json-ld/graph.ts';
import { readLinks } from './links.ts';
import { readMetas } from './metas.ts';
import type { FactsReading, ParsedPage, ReadFacts } from './parsed-page.ts';
import { detectPlatform, signalText } from './platform.ts';
import { marksUpProduct } from './product-markup.ts';
import { WorkSpent } from './work.ts';

/**
 * Reads a page: its certificate nodes, its platform and a gate, and with `readFacts` what it states. Everything else is the same with and
 * without facts, so that no verdict depends on them. Pure and synchronous. Time and memory are bounded by `BOUNDS`; hostile input does
 * not make it throw.
 *
 * @param html the page as text, or as bytes, which are decoded by the WHATWG rules
 * @param readFacts `readFacts` of `@touchstone/facts`; without it, the reading contains no facts
 * @example
 * ```ts
 * import { readPage } from '@touchstone/page/read';
 *
 * const html = '<link rel="canonical" href="/products/cup"><h1>Cup</h1>';
 * readPage(html, { url: 'https://shop.example/cup?ref=mail' }).canonicalUrl; // 'https://shop.example/products/cup'
 * ```
 */
export function readPage(
  html: string | Uint8Array,
  options: ReadOptions,
  readFacts?: ReadFacts,
): PageReading {
  const findings = new Findings();
  const source = typeof html === 'string' ? html : decodePage(html, options.contentType, findings);
  const doc = buildDocument(source, findings);
  const index = indexPage(doc);
  const links = readLinks(doc, index, options.url);
  const graph = readGraph(readJsonLdBlocks(doc, index.scripts, findings), findings);
  const certificates = findCertificates(graph, [options.namespaceUrl ?? []].flat(), findings);
  const metas = readMetas(doc, index);
  const bodyClass = index.body === null ? '' : (doc.attr(index.body, 'class') ?? '');
  const signals = signalText(doc, index);
  const platform = detectPlatform(signals, doc.source, metas, bodyClass);
  // a product page that merely loads the script of a bot wall is not blocked
  const isOpen = certificates.length > 0 || marksUpProduct(doc, index, graph);
  const gate = isOpen ? null : detectGate({ doc, index, metas, signals, pageUrl: links.url });
  const page: ParsedPage = {
    doc,
    index,
    metas,
    links,
    graph,
    platform,
    bodyClass,
    certificates,
    findings,
  };
  const read = gate === null && readFacts !== undefined ? factsOf(page, readFacts, options) : undefined;
  return {
    ...(read ?? { facts: NO_FACTS }),
    platform_detected: platform,
    gate,
    certificates,
    canonicalUrl: links.canonical,
    findings: findings.list(),
  };
}

/** `undefined` if reading takes more steps than allowed. What comes before is bounded by the size of the page, this by its content. */
function factsOf(
  page: ParsedPage,
  readFacts: ReadFacts,
  { maxSteps = BOUNDS.steps }: ReadOptions,
): FactsReading | undefined {
  page.doc.work.allow(maxSteps);
  try {
    return readFacts(page);
  } catch (error) {
    if (!(error instanceof WorkSpent)) throw error;
    page.findings.add('reading_stopped');
    return undefined;
  }
}
