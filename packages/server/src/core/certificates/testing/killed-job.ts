import { emitterOf } from '../../../parts.ts';
import { openDatabase } from '../../../platform/database/database.ts';
import { openJobQueue } from '../../../platform/jobs/job-queue.ts';
import { createBackgroundPace } from '../../../platform/limits/background-pace.ts';
import { createDatabaseSecrets } from '../../../platform/secrets/database-secrets.ts';
import { openProofKeys } from '../../keys/open-proof-keys.ts';
import { createIssueBatch } from '../issue-batch.ts';
import { runIssueJob } from '../issue-job.ts';
import { createSnapshotLoader } from '../load-snapshot.ts';
import { CERTIFICATES_AHEAD } from '../order-certificates.ts';
import { createProofStore } from '../proof-store.ts';

const emit = emitterOf({ without: [] });

/**
 * A node that is killed in the middle of a store's job, at signature number `signatures`. It runs in a separate process
 * with its options as JSON in the first argument, and never ends in another way.
 */
const { connection, masterKey, addresses, now, signatures } = JSON.parse(process.argv[2] ?? '{}');
const { db } = openDatabase({ connection });
const clock = () => new Date(now);
const secrets = createDatabaseSecrets(Buffer.from(masterKey, 'hex'));
const keys = await openProofKeys({ db, clock, secrets });
let made = 0;
const proofs = createProofStore({
  db,
  keys: {
    ...keys,
    async signerOf(kid) {
      const signer = await keys.signerOf(kid);
      const sign = (bytes: Uint8Array<ArrayBuffer>) => {
        made += 1;
        if (made === signatures) process.kill(process.pid, 'SIGKILL');
        return signer?.sign(bytes) ?? Promise.reject(new Error('no key'));
      };
      return { kid, sign };
    },
  },
  addresses,
  clock,
});
const pace = createBackgroundPace();
const snapshots = createSnapshotLoader(db, secrets.rows);
const issueBatch = createIssueBatch({ emit, db, clock, pace, proofs, snapshots });
const queue = openJobQueue({ db, name: CERTIFICATES_AHEAD, perResource: 1_000 });
const [job] = await queue.claim(1);
if (job !== undefined) await runIssueJob(job, { db, queue, clock, issueBatch }, new AbortController().signal);
