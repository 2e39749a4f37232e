import { networkOf } from '@touchstone/page/fetch';

/** The network of a caller known by its address; a caller with a key stands for itself. */
export function networkOfCaller(caller: string): string {
  const address = /^ip:([\d.]+|[\da-f:]+::)(?:\/64)?$/.exec(caller)?.[1];
  return address === undefined ? caller : `ip:${networkOf(address)}`;
}
