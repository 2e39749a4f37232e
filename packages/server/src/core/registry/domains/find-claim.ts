import { hostOf } from '@touchstone/certificate/binding';
import type { Registry } from '../context.ts';
import { challengeOf } from './challenge.ts';
import { type Challenge, type DomainProofPorts, findProof } from './find-proof.ts';

/** A merchant's claim to a hostname: its challenge, and the origins at which each of its stores may show it. */
export interface Claim extends Omit<Challenge, 'origins'> {
  readonly merchantId: string;
  readonly origins: readonly (readonly string[])[];
}

/** Stores of a merchant with other origins of the same host, such as a port, that are considered. */
const MAX_ORIGINS = 3;

/** `undefined` if no store of the merchant has the hostname. */
export async function readClaim(
  { db, secrets }: Pick<Registry, 'db' | 'secrets'>,
  merchantId: string,
  hostname: string,
): Promise<Claim | undefined> {
  const rows = await db
    .selectFrom('domains')
    .innerJoin('stores', (join) =>
      join
        .onRef('stores.merchant_id', '=', 'domains.merchant_id')
        .onRef('stores.id', '=', 'domains.store_id'),
    )
    .select('url')
    .where('domains.merchant_id', '=', merchantId)
    .where('stores.deleted_at', 'is', null)
    .where('hostname', '=', hostname)
    .orderBy('domains.created_at')
    .orderBy('stores.id')
    .execute();
  if (rows.length === 0) return undefined;
  const own = new Set(rows.flatMap(({ url }) => (hostOf(url) === hostname ? [new URL(url).origin] : [])));
  const origins = [...own].slice(0, MAX_ORIGINS).map((origin) => [origin]);
  if (origins.length === 0) origins.push([`https://${hostname}`, `http://${hostname}`]);
  return { merchantId, hostname, challenge: challengeOf(secrets, merchantId, hostname), origins };
}

/** As `findProof`, at every origin of the claim until it is found. */
export async function findClaimed(
  ports: DomainProofPorts,
  { origins, ...claim }: Claim,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof findProof>>> {
  let first: Awaited<ReturnType<typeof findProof>> | undefined;
  for (const each of origins) {
    const saw = await findProof(ports, { ...claim, origins: each }, signal);
    if (saw.some(({ found }) => found)) return saw;
    first ??= saw;
  }
  return first ?? [];
}
