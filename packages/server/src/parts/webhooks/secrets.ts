import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Standard Webhooks, "Signature scheme": between 24 and 64 bytes. */
const SECRET_BYTES = 32;

export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** In the form that is shown, and that libraries of receivers accept. */
export function shownSecret(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`;
}

/** The name under which a secret is sealed; without the address, which is bound to the merchant too, it signs nothing. */
export const secretName = (webhookId: string): string => `webhook ${webhookId}`;

/**
 * The headers of one attempt: a signature by each secret over id, timestamp and body, so that a receiver with the former secret
 * accepts it, too (Standard Webhooks, "Webhook headers").
 */
export function signatureHeaders(
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
  secrets: readonly Uint8Array[],
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets
      .map((secret) => new Webhook(secret, { format: 'raw' }).sign(id, at, body))
      .join(' '),
  };
}
