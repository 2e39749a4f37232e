import { networkOf } from '@touchstone/page/fetch';

/**
 * All that somebody can be as callers at no cost, as one: the network of an address; the merchant of an API key, who makes
 * as many keys as it likes. An operator's key is returned unchanged.
 */
export function networkOfCaller(caller: string): string {
  const merchant = /^(merchant:[^/]+)\/key:/.exec(caller)?.[1];
  if (merchant !== undefined) return merchant;
  const address = /^ip:([\d.]+|[\da-f:]+::)(?:\/64)?$/.exec(caller)?.[1];
  return address === undefined ? caller : `ip:${networkOf(address)}`;
}

/** Whose limit of `fresh` checks a call counts against: that of the merchant for all its keys, else that of the caller. */
export function freshCallerOf(caller: string): string {
  return caller.startsWith('merchant:') ? networkOfCaller(caller) : caller;
}
