import { type CatalogueProblem, type CatalogueRow, PROBLEMS, type ReadCatalogueOptions } from './types.ts';

/** What the readers of each form need to know. */
export interface Reading {
  readonly store: URL;
  readonly rebase: boolean;
  readonly shape?: ReadCatalogueOptions['shape'];
}

/** A problem of the file as a whole. */
export function fileProblem(code: CatalogueProblem['code'], detail?: string): CatalogueRow {
  const reason = detail === undefined ? PROBLEMS[code] : `${PROBLEMS[code]} ${detail}`;
  return { problem: { row: 0, code, reason } };
}
