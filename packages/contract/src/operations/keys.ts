import { JwksSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { NOT_MODIFIED, REGISTRY_BASE } from './parts.ts';

export type Jwks = Wire<z.output<typeof JwksSchema>>;

/** Spec, Endpoints 5. */
export const getJwks = defineOperation({
  tag: 'Keys',
  id: 'getJwks',
  cacheControl: 'public, max-age=3600',
  method: 'GET',
  path: '/api/v1/.well-known/jwks.json',
  summary: 'Get the public keys',
  description: 'For verifying proofs offline: pick the key by the `kid` of the proof, and require RS256.',
  access: 'public',
  anyOrigin: true,
  hot: true,
  replies: {
    200: { description: 'The key set; fresh for an hour.', schema: JwksSchema },
    304: NOT_MODIFIED,
  },
  errors: ['keys_unavailable'],
});

const DIRECTORY = `Keys of the signatures (RFC 9421) on requests that this service sends to shops, as Web Bot Auth finds
them by \`Signature-Agent\`. The answer is signed by each of its keys, for this host. There is none where the service does
not sign its requests: it is told not to, or its own address is not https.`;

/** draft-meunier-webbotauth-httpsig-directory-00. */
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
      description: 'A JWKS of Ed25519 keys; fresh for an hour.',
      mediaType: 'application/http-message-signatures-directory+json',
    },
  },
  errors: ['requests_not_signed'],
});

const SigningKeySchema = z
  .object({
    kid: z.string(),
    purpose: z.enum(['proofs', 'requests']).meta({
      description: 'What it signs: proofs (RS256), or our own requests (Ed25519).',
    }),
    state: z.enum(['standby', 'active', 'retired', 'revoked']).meta({
      description: 'standby: published, signs next; retired: signs no more, its proofs still count.',
    }),
    publishedAt: z.iso.datetime(),
    activeFrom: z.iso.datetime().optional(),
    retiredAt: z.iso.datetime().optional(),
    revokedAt: z.iso.datetime().optional(),
  })
  .meta({
    id: 'SigningKey',
    description: 'A key of the service; its private half is told to nobody.',
  });

export type SigningKeyView = Wire<z.infer<typeof SigningKeySchema>>;

const SigningKeysSchema = z.object({ keys: z.array(SigningKeySchema) }).meta({ id: 'SigningKeys' });

const REVOKE = `For a private key that somebody else may have. It leaves the public keys at once, every proof under it is
trusted for nothing, and products get new proofs when they are next asked for. Where the standby has been published for
less than a day, new proofs wait until it has (503 with Retry-After). It cannot be taken back.`;

const operatorOnly = { tag: 'Keys', access: 'operator', noStore: true } as const;

export const listSigningKeys = defineOperation({
  ...operatorOnly,
  id: 'listSigningKeys',
  method: 'GET',
  path: `${REGISTRY_BASE}/signing-keys`,
  summary: 'List the signing keys',
  replies: {
    200: { description: 'All that there ever were, oldest first.', schema: SigningKeysSchema },
  },
  errors: [],
});

export const revokeSigningKey = defineOperation({
  ...operatorOnly,
  id: 'revokeSigningKey',
  method: 'POST',
  path: `${REGISTRY_BASE}/signing-keys/{kid}/revoke`,
  summary: 'Revoke a signing key',
  description: REVOKE,
  params: z.object({ kid: z.string().max(200).meta({ description: 'As in the public keys.' }) }),
  replies: { 200: { description: 'The key as it stands.', schema: SigningKeySchema } },
  errors: ['signing_key_unknown'],
});
