import type { DomainProof } from '@touchstone/contract';
import { readOwner } from '../../../platform/database/hostname-owners.ts';
import { countHit, forgetHit } from '../../../platform/database/rate-windows.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { Scope } from '../../../platform/http/access.ts';
import type { Registry } from '../context.ts';
import { findStore, type StoreKey } from '../find-store.ts';
import { type Checking, checkOwner } from './check-owner.ts';
import { type Contest, contest, decideContest } from './contests.ts';
import { hostnameOrThrow } from './domains.ts';
import { type Claim, findClaimed, readClaim } from './find-claim.ts';
import type { DomainProofPorts } from './find-proof.ts';
import { recordOwner } from './owners.ts';
import { adviceAfter, KEEP_CHALLENGE } from './proof-advice.ts';

/**
 * Looks for the challenge of a domain, and makes the merchant its owner if it is found. The first merchant to prove a
 * hostname owns it; stores of others lose it, until they prove it and the owner no longer can (`contests.ts`).
 *
 * One at a time for each merchant and hostname, on any number of nodes.
 *
 * Throws `store_unknown`, `domain_unknown_to_store`, `hostname_taken`, `network_unavailable`, `conflict` while another is in
 * progress; what `ports` throws.
 */
export async function verifyDomain(
  registry: Registry,
  ports: DomainProofPorts,
  scope: Scope,
  storeId: string,
  hostnameText: string,
  signal = new AbortController().signal,
): Promise<DomainProof> {
  const hostname = hostnameOrThrow(hostnameText);
  const { id, merchantId } = await findStore(registry.db, scope, storeId);
  const claim = await readClaim(registry, merchantId, hostname);
  if (claim === undefined || !(await hasDomain(registry, { id, merchantId }, hostname))) {
    throw new ServiceError('domain_unknown_to_store');
  }
  return oneAtATime(registry, `${merchantId} ${hostname}`, () =>
    verifyClaim({ registry, ports, reason: 'requested', signal }, claim, {
      hostname,
      storeId: id,
      merchantId,
    }),
  );
}

/** Seconds after which a verification that its node never ended no longer prevents others. */
const LEASE = 120;

async function oneAtATime<T>({ db }: Registry, what: string, work: () => Promise<T>): Promise<T> {
  const lease = { name: `verifying:${what}`, limit: 1 };
  const held = await countHit(db, lease, LEASE);
  if (!held.allowed) throw new ServiceError('conflict', { message: IN_PROGRESS, retryAfter: 1 });
  try {
    return await work();
  } finally {
    await forgetHit(db, lease, held);
  }
}

const IN_PROGRESS = 'A verification of this hostname is still in progress: verify again when it has ended.';

async function verifyClaim(checking: Checking, claim: Claim, rival: Contest): Promise<DomainProof> {
  const { registry, ports, signal } = checking;
  const { hostname, merchantId } = rival;
  const owner = await readOwner(registry.db, registry.secrets.rows, hostname);
  if (owner?.merchant_id === merchantId) {
    const { saw, proof, provenUntil } = await checkOwner(checking, owner);
    return answer(claim, saw, { proof, provenUntil });
  }
  const checkedAt = registry.clock();
  const saw = await findClaimed(ports, claim, signal);
  const proof = saw.find(({ found }) => found);
  if (proof === undefined) {
    if (owner === null) return answer(claim, saw, {});
    const { message } = new ServiceError('hostname_taken');
    throw new ServiceError('hostname_taken', { message: `${message} ${adviceAfter(saw, claim)}` });
  }
  if (owner !== null) {
    const decidedAt = await contest(checking, rival);
    if (decidedAt !== undefined) return answer(claim, saw, { decidedAt });
    await decideContest(checking, rival);
    const now = await readOwner(registry.db, registry.secrets.rows, hostname);
    if (now?.merchant_id !== merchantId) throw new ServiceError('hostname_taken');
    return answer(claim, saw, { proof });
  }
  await recordOwner(registry, { hostname, merchantId, method: proof.method, checkedAt });
  return answer(claim, saw, { proof });
}

async function hasDomain({ db }: Registry, store: StoreKey, hostname: string): Promise<boolean> {
  const row = await db
    .selectFrom('domains')
    .select('hostname')
    .where('merchant_id', '=', store.merchantId)
    .where('store_id', '=', store.id)
    .where('hostname', '=', hostname)
    .executeTakeFirst();
  return row !== undefined;
}

interface Outcome {
  /** The place that makes the merchant the owner. */
  readonly proof?: DomainProof['saw'][number] | undefined;
  readonly provenUntil?: Date | undefined;
  readonly decidedAt?: Date | undefined;
}

function answer(
  claim: Claim,
  saw: readonly DomainProof['saw'][number][],
  { proof, provenUntil, decidedAt }: Outcome,
): DomainProof {
  const places = [...saw];
  const common = { lookedFor: claim.challenge, saw: places };
  if (proof !== undefined) {
    return {
      verified: true,
      method: proof.method,
      ...common,
      nextStep: `Control of this hostname is proven. ${KEEP_CHALLENGE}`,
    };
  }
  const advice = adviceAfter(places, claim);
  if (decidedAt !== undefined) {
    const at = decidedAt.toISOString();
    return {
      verified: false,
      ...common,
      decidedAt: at,
      nextStep: `Another merchant has proven this hostname, whose challenge was not found now. Both are looked for again at ${at}; if the other is still missing, the hostname is yours. Leave your challenge in place, and verify again then.`,
    };
  }
  if (provenUntil !== undefined) {
    const until = provenUntil.toISOString();
    return {
      verified: false,
      ...common,
      provenUntil: until,
      nextStep: `The challenge is not found now; the earlier proof counts until ${until}. ${advice}`,
    };
  }
  return { verified: false, ...common, nextStep: advice };
}
