import { z } from 'zod';
import { ServiceError } from '../platform/errors.ts';
import { type Operation, operation } from '../platform/http/operation.ts';
import { BASE, PRIVATE } from '../registry/common.ts';
import { keyState, type SigningKey } from './key-schedule.ts';

export interface SigningKeyUseCases {
  readonly list: () => Promise<readonly SigningKey[]>;
  /** False when there is no such key, or it was revoked before. */
  readonly revoke: (kid: string) => Promise<boolean>;
}

const SigningKeySchema = z
  .object({
    kid: z.string(),
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
    description: 'A key that proofs are signed with; its private half is told to nobody.',
  });

const SigningKeysSchema = z.object({ keys: z.array(SigningKeySchema) }).meta({ id: 'SigningKeys' });

const REVOKE = `For a private key that somebody else may have. It leaves the public keys at once, every proof under it is
trusted for nothing, and products get new proofs when they are next asked for. Where the standby has been published for
less than a day, new proofs wait until it has (503 with Retry-After). It cannot be taken back.`;

const common = { tag: 'Keys', access: 'operator' } as const;

/** What an operator sees of the signing keys, and does when one has leaked (decision 22). */
export function signingKeyRows(use: SigningKeyUseCases): Operation[] {
  return [
    operation({
      ...common,
      id: 'listSigningKeys',
      method: 'GET',
      path: `${BASE}/signing-keys`,
      summary: 'List the signing keys',
      responses: {
        200: { description: 'All that there ever were, oldest first.', schema: SigningKeysSchema },
      },
      errors: [],
      handle: async () => {
        const keys = await use.list();
        return { status: 200, headers: PRIVATE, body: { keys: keys.map(viewOf) } };
      },
    }),
    operation({
      ...common,
      id: 'revokeSigningKey',
      method: 'POST',
      path: `${BASE}/signing-keys/{kid}/revoke`,
      summary: 'Revoke a signing key',
      description: REVOKE,
      params: z.object({ kid: z.string().max(200).meta({ description: 'As in the public keys.' }) }),
      responses: { 200: { description: 'The key as it stands.', schema: SigningKeySchema } },
      errors: ['signing_key_unknown'],
      handle: async ({ params }) => {
        await use.revoke(params.kid);
        const key = (await use.list()).find(({ kid }) => kid === params.kid);
        if (key === undefined) throw new ServiceError('signing_key_unknown');
        return { status: 200, headers: PRIVATE, body: viewOf(key) };
      },
    }),
  ];
}

function viewOf(key: SigningKey): z.infer<typeof SigningKeySchema> {
  const { activeFrom, retiredAt, revokedAt } = key;
  return {
    kid: key.kid,
    state: keyState(key),
    publishedAt: key.publishedAt.toISOString(),
    ...(activeFrom === undefined ? {} : { activeFrom: activeFrom.toISOString() }),
    ...(retiredAt === undefined ? {} : { retiredAt: retiredAt.toISOString() }),
    ...(revokedAt === undefined ? {} : { revokedAt: revokedAt.toISOString() }),
  };
}
