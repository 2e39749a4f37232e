import * as contract from '@touchstone/contract';
import { ServiceError } from '../platform/errors.ts';
import { documentReply, implement, ok } from '../platform/http/implement.ts';
import type { Route } from '../platform/http/route.ts';
import type { GetJwks } from './get-jwks.ts';
import type { KeyDirectory } from './get-key-directory.ts';
import { type AnyKey, type KeyPurpose, keyState } from './key-schedule.ts';

export interface KeyUseCases {
  readonly getJwks: GetJwks;
  readonly getKeyDirectory: () => Promise<KeyDirectory>;
  readonly proofs: KeptKeys;
  readonly requests: KeptKeys;
}

/** The keys of one purpose. */
interface KeptKeys {
  readonly list: () => Promise<readonly AnyKey[]>;
  /** False: there is no such key, or it was revoked before. */
  readonly revoke: (kid: string) => Promise<boolean>;
}

/** The public keys; and for operators the list and the revocation of signing keys. */
export function keyRoutes(use: KeyUseCases): Route[] {
  return [
    implement(contract.getJwks, async () => documentReply(await use.getJwks()), {
      cachedDocument: (_, query) => (query === '' ? use.getJwks.ifCached() : undefined),
    }),
    implement(contract.getKeyDirectory, async () => ({ status: 200, ...(await use.getKeyDirectory()) })),
    implement(contract.listSigningKeys, async () => ok({ keys: await viewsOf(use) })),
    implement(contract.revokeSigningKey, async ({ params }) => {
      for (const purpose of PURPOSES) await use[purpose].revoke(params.kid);
      const key = (await viewsOf(use)).find(({ kid }) => kid === params.kid);
      if (key === undefined) throw new ServiceError('signing_key_unknown');
      return ok(key);
    }),
  ];
}

const PURPOSES = ['proofs', 'requests'] as const;

async function viewsOf(keys: Pick<KeyUseCases, KeyPurpose>): Promise<contract.SigningKeyView[]> {
  const views = PURPOSES.map(async (purpose) =>
    (await keys[purpose].list()).map((key) => viewOf(key, purpose)),
  );
  return (await Promise.all(views)).flat();
}

function viewOf(key: AnyKey, purpose: KeyPurpose): contract.SigningKeyView {
  const { activeFrom, retiredAt, revokedAt } = key;
  return {
    kid: key.kid,
    purpose,
    state: keyState(key),
    publishedAt: key.publishedAt.toISOString(),
    ...(activeFrom === undefined ? {} : { activeFrom: activeFrom.toISOString() }),
    ...(retiredAt === undefined ? {} : { retiredAt: retiredAt.toISOString() }),
    ...(revokedAt === undefined ? {} : { revokedAt: revokedAt.toISOString() }),
  };
}
