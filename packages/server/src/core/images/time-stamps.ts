import { randomBytes } from 'node:crypto';
import { BodyTooLargeError, readBytes } from '@touchstone/contract/bounded-body';
import { MAX_TIME_STAMP_BYTES } from '@touchstone/image/node';
import * as asn1 from 'asn1js';
import type { Clock } from '../../platform/clock.ts';

/** How time stamps (RFC 3161) are requested. */
export interface TimeStampOptions {
  /** Address of the authority, http or https; may contain a secret. */
  readonly url: string;
  readonly clock: Clock;
  /** What has no time stamp then, as the beginning of a sentence. Default: images. */
  readonly what?: string;
  /** Called once for each pause, during which signatures have no time stamp. */
  readonly onFault: (error: Error) => void;
  /** Milliseconds for one answer. Default: 5,000. */
  readonly limit?: number;
}

/**
 * Requests a time stamp of a SHA-256 digest.
 *
 * @returns the token, DER; `null` if none is available now. After a failure the authority is not asked again for a minute, so
 *   that a queue of images does not wait for it each time
 */
export type StampTime = (digest: Uint8Array) => Promise<Uint8Array | null>;

const LIMIT = 5_000;
/** Milliseconds without asking after a failure. */
const PAUSE = 60_000;
/** Bytes of an answer: the token, and its status. */
const MAX_ANSWER = MAX_TIME_STAMP_BYTES + 1_024;
const SHA_256 = '2.16.840.1.101.3.4.2.1';

/** The answer of the authority is not a time stamp of the digest. The message does not contain the address. */
class TimeStampFault extends Error {}

export function openTimeStamps({
  url,
  clock,
  what = 'Images are signed',
  onFault,
  limit = LIMIT,
}: TimeStampOptions): StampTime {
  let pausedUntil = 0;
  return async (digest) => {
    if (clock().getTime() < pausedUntil) return null;
    try {
      return await askFor(digest, url, limit);
    } catch (error) {
      const isFirst = clock().getTime() >= pausedUntil;
      pausedUntil = clock().getTime() + PAUSE;
      // the message of a fetch error may contain the address
      const why =
        error instanceof TimeStampFault
          ? error.message
          : `it did not answer within ${limit} ms, or could not be reached`;
      if (isFirst)
        onFault(
          new Error(`The time-stamp authority gave no stamp: ${why}. ${what} without one for a minute.`),
        );
      return null;
    }
  };
}

async function askFor(digest: Uint8Array, url: string, limit: number): Promise<Uint8Array> {
  // positive: the first bit is 0, and the first byte is not
  const nonce = randomBytes(16);
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: queryFor(digest, nonce),
    // not followed: the address may contain a secret
    redirect: 'manual',
    signal: AbortSignal.timeout(limit),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new TimeStampFault(`it answered ${response.status}${redirectIn(response, url)}`);
  }
  const answer = await readBytes(response, MAX_ANSWER).catch((error: unknown) => {
    if (!(error instanceof BodyTooLargeError)) throw error;
    throw new TimeStampFault(`its answer is over ${MAX_ANSWER} bytes`);
  });
  return tokenIn(Buffer.from(answer), digest, nonce);
}

/** TimeStampReq (RFC 3161, 2.4.1): SHA-256, a nonce, certificates wanted. */
function queryFor(digest: Uint8Array, nonce: Uint8Array): ArrayBuffer {
  const algorithm = new asn1.Sequence({
    value: [new asn1.ObjectIdentifier({ value: SHA_256 }), new asn1.Null()],
  });
  const imprint = new asn1.Sequence({ value: [algorithm, new asn1.OctetString({ valueHex: digest })] });
  return new asn1.Sequence({
    value: [
      new asn1.Integer({ value: 1 }),
      imprint,
      new asn1.Integer({ valueHex: nonce }),
      new asn1.Boolean({ value: true }),
    ],
  }).toBER();
}

/** Where a redirect leads; empty for other answers. */
function redirectIn({ status, headers }: Response, url: string): string {
  const location = headers.get('location');
  if (status < 300 || status > 399 || location === null) return '';
  return `, a redirect to ${URL.parse(location, url)?.origin ?? 'an invalid address'}`;
}

/** The token of a TimeStampResp (RFC 3161, 2.4.2) that was granted for this digest and this nonce. */
function tokenIn(answer: Buffer, digest: Uint8Array, nonce: Uint8Array): Uint8Array {
  const { result, offset } = asn1.fromBER(answer);
  const [info, token] = offset === -1 ? [] : partsOf(result);
  const [status] = partsOf(info);
  if (!(status instanceof asn1.Integer)) throw new TimeStampFault('its response is not a time-stamp reply');
  // granted, or granted with modifications
  if (status.valueBlock.valueDec > 1 || token === undefined) {
    throw new TimeStampFault(`it refused, with status ${status.valueBlock.valueDec}`);
  }
  const bytes = Buffer.from(token.toBER());
  // whether the token holds is the engine's to say; these two tell that it is the answer to this question
  if (!bytes.includes(Buffer.from(digest)) || !bytes.includes(Buffer.from(nonce))) {
    throw new TimeStampFault('its stamp is for something other than requested');
  }
  return bytes;
}

function partsOf(value: unknown): readonly asn1.AsnType[] {
  return value instanceof asn1.Sequence ? value.valueBlock.value : [];
}
