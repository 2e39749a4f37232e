import { JwksSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { NOT_MODIFIED, REGISTRY_BASE } from './shared.ts';
import { text } from './text-fields.ts';

export type Jwks = Wire<z.output<typeof JwksSchema>>;

/** Spec, Endpoints 5. */
export const getJwks = defineOperation({
  tag: 'Keys',
  id: 'getJwks',
  cacheControl: 'public, max-age=3600',
  method: 'GET',
  path: '/api/v1/.well-known/jwks.json',
  summary: 'Get the public keys',
  description: 'For verifying proofs offline: select the key by the `kid` of the proof, and require RS256.',
  access: 'public',
  anyOrigin: true,
  hot: true,
  replies: {
    200: { description: 'The key set; may be cached for an hour.', schema: JwksSchema },
    304: NOT_MODIFIED,
  },
  errors: ['keys_unavailable'],
});

const DIRECTORY = `Keys that verify the signatures (RFC 9421) of requests that this service sends to shops; Web Bot Auth
finds them by \`Signature-Agent\`. The response is signed with each of these keys, for this host and with its \`Content-Digest\`. Returns 404 if the service
does not sign its requests, either by configuration or because its own address is not https.`;

/** draft-ietf-webbotauth-httpsig-protocol-01. */
export const getKeyDirectory = defineOperation({
  tag: 'Keys',
  id: 'getKeyDirectory',
  method: 'GET',
  path: '/.well-known/http-message-signatures-directory',
  summary: 'Get the public keys of our requests',
  description: DIRECTORY,
  access: 'public',
  anyOrigin: true,
  anyQuery: true,
  replies: {
    200: {
      description: 'A JWKS of Ed25519 keys; may be cached for an hour.',
      mediaType: 'application/http-message-signatures-directory+json',
    },
  },
  errors: ['requests_not_signed'],
});

const SigningKeySchema = z
  .object({
    kid: z.string(),
    purpose: z
      .enum(['proofs', 'requests', 'status_lists', 'transparency_log', 'receipts', 'attestations'])
      .meta({
        description:
          'What it signs: proofs (RS256), our own requests (Ed25519), status lists (RS256), the transparency log (Ed25519), receipts (Ed25519), or attestations for commerce protocols (ES256).',
      }),
    state: z.enum(['standby', 'active', 'retired', 'revoked']).meta({
      description: 'standby: published, signs later; retired: no longer signs, but its proofs remain valid.',
    }),
    publishedAt: z.iso.datetime(),
    activeFrom: z.iso.datetime().optional(),
    retiredAt: z.iso.datetime().optional(),
    revokedAt: z.iso.datetime().optional(),
    certificates: z.int().nonnegative().optional().meta({
      description:
        'Products whose certificate, issued in advance, is signed with it: they are issued again if it is revoked. Absent for keys of requests.',
    }),
    reissueSeconds: z.int().nonnegative().optional().meta({
      description:
        'Estimated seconds for issuing these again, at the highest rate of a store so far; absent if unknown.',
    }),
  })
  .meta({
    id: 'SigningKey',
    description: 'A key of the service, without the private key.',
  });

export type SigningKeyView = Wire<z.infer<typeof SigningKeySchema>>;

const SigningKeysSchema = z.object({ keys: z.array(SigningKeySchema) }).meta({ id: 'SigningKeys' });

const REVOKE = `For a private key that may be compromised. The key is removed from the public keys at once, proofs signed with
it are no longer trusted. The next standby key signs at once, new standby keys are generated, and products get new proofs when
these are next requested, or else in the background. This cannot be undone.`;

const ROTATE = `Replaces the key that signs proofs before its term ends; its proofs remain valid. The standby key must have been
published for a day, so that every verifier knows it; otherwise nothing changes (409 \`standby_key_too_new\`, with Retry-After).
Not needed for a key that leaked: revoke it.`;

const RevocationSchema = z
  .strictObject({
    reason: text(500).optional().meta({
      description: 'Why, listed for each merchant whose certificates the key had signed.',
    }),
  })
  .meta({ id: 'KeyRevocation' });

const operatorOnly = { tag: 'Keys', access: 'operator', noStore: true } as const;

export const listSigningKeys = defineOperation({
  ...operatorOnly,
  id: 'listSigningKeys',
  method: 'GET',
  path: `${REGISTRY_BASE}/signing-keys`,
  summary: 'List the signing keys',
  replies: {
    200: { description: 'All keys, including former ones, oldest first.', schema: SigningKeysSchema },
  },
  errors: [],
});

export const rotateSigningKeys = defineOperation({
  ...operatorOnly,
  id: 'rotateSigningKeys',
  method: 'POST',
  path: `${REGISTRY_BASE}/signing-keys/rotate`,
  summary: 'Rotate the key of proofs',
  description: ROTATE,
  replies: { 200: { description: 'The key that signs now.', schema: SigningKeySchema } },
  errors: ['standby_key_too_new'],
});

export const revokeSigningKey = defineOperation({
  ...operatorOnly,
  id: 'revokeSigningKey',
  method: 'POST',
  path: `${REGISTRY_BASE}/signing-keys/{kid}/revoke`,
  summary: 'Revoke a signing key',
  description: REVOKE,
  body: RevocationSchema.optional(),
  params: z.object({ kid: z.string().max(200).meta({ description: '`kid`, as in the public keys.' }) }),
  replies: { 200: { description: 'The key.', schema: SigningKeySchema } },
  errors: ['signing_key_unknown'],
});
