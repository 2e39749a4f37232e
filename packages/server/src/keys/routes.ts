import * as contract from '@touchstone/contract';
import { ServiceError } from '../platform/errors.ts';
import { documentReply, implement, ok } from '../platform/http/implement.ts';
import type { Route } from '../platform/http/route.ts';
import type { GetJwks } from './get-jwks.ts';
import { keyState, type SigningKey } from './key-schedule.ts';

export interface KeyUseCases {
  readonly getJwks: GetJwks;
  readonly list: () => Promise<readonly SigningKey[]>;
  /** False when there is no such key, or it was revoked before. */
  readonly revoke: (kid: string) => Promise<boolean>;
}

/** The public keys; and what an operator sees of the signing keys, and does when one has leaked. */
export function keyRoutes(use: KeyUseCases): Route[] {
  return [
    implement(contract.getJwks, async () => documentReply(await use.getJwks()), {
      atHand: (_, query) => (query === '' ? use.getJwks.atHand() : undefined),
    }),
    implement(contract.listSigningKeys, async () => ok({ keys: (await use.list()).map(viewOf) })),
    implement(contract.revokeSigningKey, async ({ params }) => {
      await use.revoke(params.kid);
      const key = (await use.list()).find(({ kid }) => kid === params.kid);
      if (key === undefined) throw new ServiceError('signing_key_unknown');
      return ok(viewOf(key));
    }),
  ];
}

function viewOf(key: SigningKey): contract.SigningKeyView {
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
