export { PROOF_LIFETIME, PROOF_TYP, type ProofKind } from './claims/kinds.ts';
export * from './document/canonical-source.ts';
export { coverage, coverageOf } from './document/coverage.ts';
export * from './offline/index.ts';
export { PAGE_VERDICTS, type PageVerdict } from './page-verdicts.ts';
export * from './snapshot.ts';
export * from './verify/index.ts';
