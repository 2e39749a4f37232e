import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { RequestKeys } from './open-curve-keys.ts';
import { type MessageSigner, signMessage } from './sign-message.ts';

/** Seconds for which a signature is valid: long enough for differing clocks, too short for a replay to be useful. */
export const SIGNATURE_LIFE = 300;

const LABEL = 'sig1';
const NONCE_BYTES = 64;

/**
 * The headers that identify this service (draft-meunier-webbotauth-httpsig-protocol-00): a signature over the requested
 * authority and our name, so that it is not valid for another host.
 *
 * @param agent - origin of the key directory, https
 */
function signRequest(
  { url, agent, created }: { readonly url: URL; readonly agent: string; readonly created: Date },
  signer: MessageSigner,
): Readonly<Record<string, string>> {
  const { input, signature } = signMessage(
    {
      label: LABEL,
      // of a URL, `host` is the authority in its normal form: lower case, without a default port (RFC 9421 section 2.2.3)
      components: [
        ['"@authority"', url.host],
        [`"signature-agent";key="${LABEL}"`, `"${agent}"`],
      ],
      created,
      expires: new Date(created.getTime() + SIGNATURE_LIFE * 1000),
      nonce: randomBytes(NONCE_BYTES).toString('base64'),
      tag: 'web-bot-auth',
    },
    signer,
  );
  return { 'Signature-Agent': `${LABEL}="${agent}"`, 'Signature-Input': input, Signature: signature };
}

/**
 * The origin of our key directory: our own address, if shops can reach it. Over plain http anyone on the network path could
 * replace our keys, and with a path there is no `/.well-known`; then requests are not signed.
 */
export function agentOf(baseUrl: string): string | undefined {
  const { protocol, pathname, origin, hostname } = new URL(baseUrl);
  const isLocal = /^(localhost|127\..*|\[::1\])$|\.localhost$/.test(hostname);
  return protocol === 'https:' && pathname === '/' && !isLocal ? origin : undefined;
}

/** Signs requests as the service itself, each for its host. */
export function requestSigner(keys: Pick<RequestKeys, 'signer'>, agent: string, clock: Clock) {
  return async (url: URL) => signRequest({ url, agent, created: clock() }, await keys.signer());
}
