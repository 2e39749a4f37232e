import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../platform/database/database.ts';
import { openLogNode, testProof } from './log-node.ts';

/**
 * A node that enters proofs until it is killed, by itself at a step, within a write, or by others. It prints the hash of each proof before
 * it enters it, and again when it may be published. It runs in a separate process with its options as JSON in the first argument.
 */
const { connection, masterKey, folder, killAt, failWrites } = JSON.parse(process.argv[2] ?? '{}');
const { db } = openDatabase({ connection, max: 6 });
const kill = () => process.kill(process.pid, 'SIGKILL');
let writes = 0;
let steps = 0;
const node = await openLogNode({
  db,
  masterKey: Buffer.from(masterKey, 'hex'),
  folder,
  logPatience: 1_000,
  onStep(step) {
    steps += 1;
    if (step === killAt.step && steps > killAt.after) kill();
  },
  wrap: (blobs) => ({
    ...blobs,
    async replace(key, bytes) {
      writes += 1;
      if (killAt.step === 'write' && writes > killAt.after) {
        // as incomplete as it can be
        void blobs.replace(key, bytes);
        kill();
      }
      if (writes % failWrites === 0) throw new Error('no space left on device');
      await blobs.replace(key, bytes);
    },
  }),
});
const say = (word: string, jwts: readonly string[]) =>
  process.stdout.write(jwts.map((jwt) => `${word} ${jwt}\n`).join(''));
// as the scheduled task of a service does
setInterval(() => void node.sequencer.run().catch(() => {}), 200);
for (;;) {
  const proofs = Array.from({ length: 1 + Math.floor(Math.random() * 60) }, () => testProof());
  say(
    'begun',
    proofs.map(({ jwt }) => jwt),
  );
  const done = await node.enter(proofs).then(
    () => true,
    () => false,
  );
  if (done)
    say(
      'published',
      proofs.map(({ jwt }) => jwt),
    );
  await delay(20);
}
