export {
  type Candidate,
  certificateCandidates,
  type JudgedCandidate,
  judgeCandidates,
  type VerifyOnPage,
} from './candidates.ts';
export { PAGE_CODES, type PageCode, pageNote } from './codes.ts';
export { type PageReport, pageReport, type ReportedCertificate } from './report.ts';
export { printable } from './text.ts';
export * from './types.ts';
export { type PageJudgement, pageVerdict } from './verdict.ts';
export { type HtmlVerification, type VerifyFromHtmlOptions, verifyFromHtml } from './verify-from-html.ts';
