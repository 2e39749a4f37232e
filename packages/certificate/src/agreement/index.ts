/** Compares what a page states about its product with what was signed. */
export { compareStatements } from './compare-statements.ts';
export { signedValuesOf } from './signed-values.ts';
export * from './types.ts';
