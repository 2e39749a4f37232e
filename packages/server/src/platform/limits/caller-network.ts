import { networkOf } from '@touchstone/page/fetch';

/** The network of a caller that is known by its address; a caller with an API key is returned unchanged. */
export function networkOfCaller(caller: string): string {
  const address = /^ip:([\d.]+|[\da-f:]+::)(?:\/64)?$/.exec(caller)?.[1];
  return address === undefined ? caller : `ip:${networkOf(address)}`;
}
