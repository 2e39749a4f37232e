import * as contract from '@touchstone/contract';
import { andThen } from '../../platform/and-then.ts';
import type { Clock } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import { documentReply, implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import type { GetJwks } from './get-jwks.ts';
import type { KeyDirectory } from './get-key-directory.ts';
import { type AnyKey, type KeyPurpose, keyState } from './key-schedule.ts';
import type { Revocation } from './key-store.ts';

export interface KeyUseCases {
  readonly clock: Clock;
  readonly getJwks: GetJwks;
  readonly getKeyDirectory: () => Promise<KeyDirectory>;
  readonly proofs: KeptKeys & {
    /** Replaces the active key; returns from when that can be done, if it is too early. */
    readonly replace: () => Promise<Date | undefined>;
  };
  readonly requests: KeptKeys;
  readonly statusLists: KeptKeys;
  readonly transparencyLog: KeptKeys;
  readonly receipts: KeptKeys;
  readonly attestations: KeptKeys;
  /** What the revocation of each key of proofs would cause, by `kid`. */
  readonly reissues: () => Promise<ReadonlyMap<string, Reissue>>;
}

/** The certificates that would be issued again if a key were revoked. */
export interface Reissue {
  readonly certificates: number;
  readonly reissueSeconds?: number;
}

/** The keys of one purpose. */
interface KeptKeys {
  readonly list: () => Promise<readonly AnyKey[]>;
  /** False: there is no such key, or it was revoked before. */
  readonly revoke: (kid: string, by?: Revocation) => Promise<boolean>;
}

/** The public keys; and for operators the list, the rotation and the revocation of signing keys. */
export function keyRoutes(use: KeyUseCases): Route[] {
  return [
    implement(contract.getJwks, () => andThen(use.getJwks(), documentReply)),
    implement(contract.getKeyDirectory, async () => ({ status: 200, ...(await use.getKeyDirectory()) })),
    implement(contract.listSigningKeys, async () => ok({ keys: await viewsOf(use) })),
    implement(contract.rotateSigningKeys, async () => {
      const from = await use.proofs.replace();
      if (from !== undefined) throw tooNew(from, use.clock());
      const active = (await viewsOf(use)).find(
        ({ purpose, state }) => purpose === 'proofs' && state === 'active',
      );
      if (active === undefined) throw new ServiceError('signer_unavailable', { retryAfter: 5 });
      return ok(active);
    }),
    implement(contract.revokeSigningKey, async ({ params, body }, { identity }) => {
      const by = { reason: body?.reason, keyId: identity?.keyId };
      for (const keys of Object.values(keptKeys(use))) await keys.revoke(params.kid, by);
      const key = (await viewsOf(use)).find(({ kid }) => kid === params.kid);
      if (key === undefined) throw new ServiceError('signing_key_unknown');
      return ok(key);
    }),
  ];
}

const keptKeys = (use: Pick<KeyUseCases, Kept>): Readonly<Record<KeyPurpose, KeptKeys>> => ({
  proofs: use.proofs,
  requests: use.requests,
  status_lists: use.statusLists,
  transparency_log: use.transparencyLog,
  receipts: use.receipts,
  attestations: use.attestations,
});

type Kept = 'proofs' | 'requests' | 'statusLists' | 'transparencyLog' | 'receipts' | 'attestations';

function tooNew(from: Date, now: Date): ServiceError {
  return new ServiceError('standby_key_too_new', {
    message: `The next key can sign from ${from.toISOString()}: until then, copies of the public keys may lack it.`,
    retryAfter: Math.max(1, Math.ceil((from.getTime() - now.getTime()) / 1000)),
  });
}

async function viewsOf(use: Pick<KeyUseCases, Kept | 'reissues'>): Promise<contract.SigningKeyView[]> {
  const reissues = await use.reissues();
  const views = Object.entries(keptKeys(use)).map(async ([purpose, keys]) =>
    (await keys.list()).map((key) => ({
      ...viewOf(key, purpose as KeyPurpose),
      ...(purpose === 'proofs' ? (reissues.get(key.kid) ?? { certificates: 0 }) : {}),
    })),
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
