import type { ShopifyProblemCode } from '@touchstone/contract';

/** What keeps a shop from being read or written, for its merchant to fix or to wait for. */
export class ShopifyProblem extends Error {
  readonly code: ShopifyProblemCode;
  /** More than the code's sentence says; text of the shop's is cut. */
  readonly detail: string;

  constructor(code: ShopifyProblemCode, detail: string) {
    super(`${code}: ${detail}`);
    this.name = 'ShopifyProblem';
    this.code = code;
    this.detail = detail;
  }
}
