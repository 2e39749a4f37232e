export { MAX_REPORT } from './bounded-report.ts';
export {
  type CheckedNode,
  type CheckNodesOptions,
  checkNodes,
  type KnownProduct,
  type VerifyOnPage,
} from './certificate-nodes.ts';
export { type AfterVerify, checkPage, withoutRegistry } from './check-page.ts';
export { PAGE_CODES, type PageCode, pageNote } from './codes.ts';
export { type CheckedPage, judgePage } from './judge-page.ts';
export { type Fetched, type ObserveOptions, observePage, type ReadBody } from './observe.ts';
export type { FactsReading, ParsedPage, ReadFacts } from './read/parsed-page.ts';
export { pageReport } from './report.ts';
export { type OpenSavedPageOptions, openSavedPage, type SavedPage } from './saved-page.ts';
export type { ReadSigned } from './select-nodes.ts';
export * from './types.ts';
export { pageVerdict, type ReasonedVerdict } from './verdict.ts';
export { type HtmlVerification, type VerifyFromHtmlOptions, verifyFromHtml } from './verify-from-html.ts';
