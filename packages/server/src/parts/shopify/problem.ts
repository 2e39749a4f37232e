import type { ShopifyProblemCode } from '@touchstone/contract';

/** Why a shop cannot be read or written; its merchant can fix it or wait. */
export class ShopifyProblem extends Error {
  readonly code: ShopifyProblemCode;
  /** Details beyond the sentence of the code; text from the shop is truncated. */
  readonly detail: string;

  constructor(code: ShopifyProblemCode, detail: string) {
    super(`${code}: ${detail}`);
    this.name = 'ShopifyProblem';
    this.code = code;
    this.detail = detail;
  }
}

/** Characters of a shop's own text that are kept. */
export const MAX_SHOP_TEXT = 300;

/** The messages of GraphQL errors as one text. */
export function messagesOf(errors: readonly { readonly message?: string }[]): string {
  return errors
    .map(({ message = '' }) => message)
    .join(' ')
    .slice(0, MAX_SHOP_TEXT);
}
