import type { DomainProof } from '@touchstone/contract';
import { META_NAME, TXT_PREFIX, WELL_KNOWN_PATH } from './find-proof.ts';

/** How to prove control of a host, in one sentence. */
export function howToProve({ hostname, challenge }: { hostname: string; challenge: string }): string {
  return (
    `Do one of these, then verify again: serve a text file at ${WELL_KNOWN_PATH} on ${hostname} that contains ` +
    `${challenge}; or put <meta name="${META_NAME}" content="${challenge}"> into the head of its home page; ` +
    `or add a TXT record ${TXT_PREFIX}${hostname} with that text.`
  );
}

const PORT_REMEDY =
  'The service does not fetch from this port: its operator can allow it with TOUCHSTONE_FETCH_PORTS; the TXT record needs no port. ';

/** The same after a search that did not find it. */
export function adviceAfter(
  saw: DomainProof['saw'],
  claim: { readonly hostname: string; readonly challenge: string },
): string {
  return (saw.some(({ code }) => code === 'port_blocked') ? PORT_REMEDY : '') + howToProve(claim);
}

export const KEEP_CHALLENGE = 'Leave the challenge in place: it is looked for again within 10 days.';
