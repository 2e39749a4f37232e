import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { RequestKeys } from './open-curve-keys.ts';
import { type MessageSigner, signMessage } from './sign-message.ts';

/** Seconds for which a signature is valid: long enough for differing clocks, too short for a replay to be useful. */
export const SIGNATURE_LIFE = 300;

/** The key directory of an origin. */
const DIRECTORY = '/.well-known/http-message-signatures-directory';
const NONCE_BYTES = 64;

/**
 * Our name, in the form of each draft of Web Bot Auth that verifiers follow, by the label of its signature: the origin of our key directory
 * (draft-ietf-webbotauth-httpsig-protocol-00, and the individual drafts before it), and the address of the directory (the same, -01).
 */
const NAMES = { sig1: '', sig2: DIRECTORY } as const;

/**
 * The headers that identify this service (Web Bot Auth): signatures over the requested authority and our name, so that they are not valid for
 * another host. There is one for each form of our name, since a verifier of one draft cannot read the other's, and looks at each signature by
 * itself.
 *
 * @param agent - origin of the key directory, https
 */
function signRequest(
  { url, agent, created }: { readonly url: URL; readonly agent: string; readonly created: Date },
  signer: MessageSigner,
): Readonly<Record<string, string>> {
  const made = Object.entries(NAMES).map(([label, path]) => {
    const name = `"${agent}${path}"`;
    const signed = signMessage(
      {
        label,
        // of a URL, `host` is the authority in its normal form: lower case, without a default port (RFC 9421 section 2.2.3)
        components: [
          ['"@authority"', url.host],
          [`"signature-agent";key="${label}"`, name],
        ],
        created,
        expires: new Date(created.getTime() + SIGNATURE_LIFE * 1000),
        nonce: randomBytes(NONCE_BYTES).toString('base64'),
        tag: 'web-bot-auth',
      },
      signer,
    );
    return { ...signed, agent: `${label}=${name}` };
  });
  const all = (member: 'agent' | 'input' | 'signature') => made.map((one) => one[member]).join(', ');
  return { 'Signature-Agent': all('agent'), 'Signature-Input': all('input'), Signature: all('signature') };
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
