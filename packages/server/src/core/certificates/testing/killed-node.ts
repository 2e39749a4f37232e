import { openDatabase } from '../../../platform/database/database.ts';
import { createDatabaseSecrets } from '../../../platform/secrets/database-secrets.ts';
import { openProofKeys } from '../../keys/open-proof-keys.ts';
import { createProofStore } from '../proof-store.ts';

/**
 * A node that is killed when it is about to sign. It runs in a separate process with its options as JSON in the first
 * argument, and never ends in another way.
 */
const { connection, masterKey, addresses, now, subject } = JSON.parse(process.argv[2] ?? '{}');
const { db } = openDatabase({ connection });
const clock = () => new Date(now);
const secrets = createDatabaseSecrets(Buffer.from(masterKey, 'hex'));
const keys = await openProofKeys({ db, clock, secrets });
const proofs = createProofStore({
  db,
  keys: {
    ...keys,
    signerOf: async (kid) => ({
      kid,
      sign: () => {
        process.kill(process.pid, 'SIGKILL');
        return new Promise(() => {});
      },
    }),
  },
  addresses,
  clock,
});
await proofs.proofFor(subject);
