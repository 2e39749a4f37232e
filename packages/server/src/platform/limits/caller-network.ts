import { networkOf } from '@touchstone/fetch';

/**
 * All that somebody can be as callers at no cost, as one: the network of an address; the merchant of an API key, who makes
 * as many keys as it likes. An operator's key is returned unchanged.
 */
export function networkOfCaller(caller: string): string {
  const merchant = merchantOfCaller(caller);
  if (merchant !== undefined) return merchant;
  const address = /^ip:([\d.]+|[\da-f:]+::)(?:\/64)?$/.exec(caller)?.[1];
  return address === undefined ? caller : `ip:${networkOf(address)}`;
}

/** `merchant:<id>` if the caller has an API key of a merchant. */
export function merchantOfCaller(caller: string): string | undefined {
  return /^(merchant:[^/]+)\/key:/.exec(caller)?.[1];
}
