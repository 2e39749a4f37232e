export { findBadText } from './bad-text.ts';
export { type CheckedValue, checkValue } from './check-value.ts';
export { cut } from './excerpt.ts';
export { describeIssues, type ErrorDetail } from './issues.ts';
