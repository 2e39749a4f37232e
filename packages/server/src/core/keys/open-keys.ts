import type { FreshCacheOptions } from '../../platform/cache/fresh-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import type { Config } from '../../platform/settings/config.ts';
import { ed25519Signer, newEd25519Key } from './ed25519-keys.ts';
import { es256Signer, newEs256Key } from './es256-keys.ts';
import { createGetJwks, type GetJwks } from './get-jwks.ts';
import { createGetKeyDirectory, type KeyDirectory } from './get-key-directory.ts';
import { isPublished, isTrusted } from './key-schedule.ts';
import {
  type AttestationKeys,
  openCurveKeys,
  type ReceiptKeys,
  type RequestKeys,
} from './open-curve-keys.ts';
import { type LogKeys, openLogKeys } from './open-log-keys.ts';
import { openProofKeys, type ProofKeysOptions, type SigningKeys } from './open-proof-keys.ts';
import { agentOf, requestSigner } from './sign-request.ts';

export interface KeysOptions {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: DatabaseSecrets;
  readonly baseUrl: string;
  readonly caching: Pick<FreshCacheOptions, 'hub' | 'freshness'>;
  readonly overrides: { readonly newRsaKey?: ProofKeysOptions['newKey'] };
  readonly onRevoked: NonNullable<ProofKeysOptions['onRevoked']>;
}

export interface Keys {
  /** The keys that sign certificates. */
  readonly proofs: SigningKeys;
  /** The keys that sign status lists: a thief of a key of proofs cannot call its proofs valid. */
  readonly statusLists: SigningKeys;
  /** The keys that sign the transparency log. */
  readonly transparencyLog: LogKeys;
  /** The keys that sign our requests to shops. */
  readonly requests: RequestKeys;
  /** The keys that sign receipts. */
  readonly receipts: ReceiptKeys;
  /** The keys that sign statements for others, such as signals of UCP. */
  readonly attestations: AttestationKeys;
  readonly getJwks: GetJwks;
  readonly getKeyDirectory: () => Promise<KeyDirectory>;
  /** The headers that sign a request as the service; none if requests are not signed. */
  readonly signRequest: (url: URL) => Promise<Readonly<Record<string, string>>>;
  readonly tasks: readonly ScheduledTask[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Milliseconds for which a retired key of requests is published: signatures are valid for minutes, copies of the directory for an hour. */
const REQUESTS_VALID_FOR = DAY;
/**
 * Milliseconds for which a retired key of attestations is published, which are valid for minutes: UCP has signatures of an old key
 * accepted for seven days at least, and copies of the profile are used for an hour.
 */
const ATTESTATIONS_KEPT_FOR = 8 * DAY;

/** @throws MasterKeyError if the keys were sealed by another master key */
export async function openKeys(options: KeysOptions): Promise<Keys> {
  const { config, db, clock, secrets, baseUrl, caching, overrides, onRevoked } = options;
  const policy = { rotateEvery: config.signingRotateDays * DAY };
  const rsa = { db, clock, secrets, policy, caching, newKey: overrides.newRsaKey };
  const proofs = await openProofKeys({ ...rsa, onRevoked });
  const statusLists = await openProofKeys({ ...rsa, purpose: 'status_lists' });
  const transparencyLog = await openLogKeys({ db, clock, secrets, caching });
  const curve = { db, clock, secrets, policy, caching };
  const requests = await openCurveKeys({
    ...curve,
    purpose: 'requests',
    newKey: () => newEd25519Key('EdDSA'),
    signerOf: ed25519Signer,
    isPublished: (key, now) => isPublished(key, now, REQUESTS_VALID_FOR),
  });
  // however long ago a key signed: receipts do not expire
  const receipts = await openCurveKeys({
    ...curve,
    purpose: 'receipts',
    newKey: () => newEd25519Key('Ed25519'),
    signerOf: ed25519Signer,
    isPublished: isTrusted,
  });
  const attestations = await openCurveKeys({
    ...curve,
    purpose: 'attestations',
    newKey: newEs256Key,
    signerOf: es256Signer,
    isPublished: (key, now) => isPublished(key, now, ATTESTATIONS_KEPT_FOR),
  });
  const agent = config.signRequests ? agentOf(baseUrl) : undefined;
  return {
    proofs,
    statusLists,
    transparencyLog,
    requests,
    receipts,
    attestations,
    getJwks: createGetJwks({ keys: proofs, clock, hub: caching.hub }),
    getKeyDirectory: createGetKeyDirectory(requests, clock, agent),
    signRequest: agent === undefined ? async () => ({}) : requestSigner(requests, agent, clock),
    tasks: [
      { name: 'rotate signing keys', every: HOUR, run: proofs.rotate },
      { name: 'rotate keys of status lists', every: HOUR, run: statusLists.rotate },
      { name: 'create keys of the transparency log', every: HOUR, run: () => transparencyLog.rotate() },
      { name: 'rotate keys of requests', every: HOUR, run: requests.rotate },
      { name: 'rotate keys of receipts', every: HOUR, run: receipts.rotate },
      { name: 'rotate keys of attestations', every: HOUR, run: attestations.rotate },
    ],
  };
}
