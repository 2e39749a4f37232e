import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../platform/database/database.ts';
import type { PublishingStep } from '../publish-leaves.ts';
import { killServer } from './kill-server.ts';
import { openLogNode, testProof } from './log-node.ts';

/** What is killed; `connections`: all of them break, by the process that reads our output. */
export const VICTIMS = ['node', 'database', 'both', 'connections'] as const;
/** Within the write of a file: a part of its bytes is there; all are, without their name; it has its name, which may not be durable. */
const WRITING = ['torn', 'written', 'named'] as const;
const STEPS = ['assigned', 'tiles', 'checkpoint', 'recorded'] as const satisfies PublishingStep[];
export const MOMENTS = ['any', ...STEPS, ...WRITING] as const;

export interface KilledNodeOptions {
  readonly connection: Parameters<typeof openDatabase>[0]['connection'];
  /** The folder of the database's files. */
  readonly cluster: string;
  /** Hexadecimal. */
  readonly masterKey: string;
  readonly folder: string;
  readonly victim: (typeof VICTIMS)[number];
  readonly moment: (typeof MOMENTS)[number];
  /** Milliseconds, or steps or files before the one at which it happens. */
  readonly after: number;
  /** Which part of a file is written. */
  readonly part: number;
  /** Each so many files, a write fails. */
  readonly failWrites: number;
  /** How many proofs are entered together, in turn. */
  readonly batches: readonly number[];
}

/**
 * A node that enters proofs until it is killed, by itself or by others. It prints `begun` and each proof before it enters it, `published` and the
 * same when it may be published, and `killed` when it has killed PostgreSQL, or `connections`. If it survives, it goes on until it has published
 * again. It runs in a separate process with its options as JSON in the first argument.
 */
async function run(options: KilledNodeOptions): Promise<void> {
  const { connection, masterKey, folder, victim, moment, after, failWrites, batches } = options;
  const { db } = openDatabase({ connection, max: 6 });
  let isOver = false;
  const killOnce = () => {
    if (!isOver) isOver = kill(options);
  };
  interruptWrite(options, killOnce);
  let steps = 0;
  let writes = 0;
  const node = await openLogNode({
    db,
    masterKey: Buffer.from(masterKey, 'hex'),
    folder,
    logPatience: 1_000,
    onStep(step) {
      steps += 1;
      if (step === moment && steps > after) killOnce();
    },
    wrap: (blobs) => ({
      ...blobs,
      async replace(key, bytes) {
        writes += 1;
        if (writes % failWrites === 0) throw new Error('no space left on device');
        await blobs.replace(key, bytes);
      },
    }),
  });
  const say = (word: string, jwts: readonly string[]) =>
    process.stdout.write(jwts.map((jwt) => `${word} ${jwt}\n`).join(''));
  // as the scheduled task of a service does
  setInterval(() => void node.sequencer.run().catch(() => {}), 200);
  if (moment === 'any') setTimeout(killOnce, after);
  for (let n = 0; ; n += 1) {
    const wasOver = isOver;
    const jwts = Array.from({ length: batches[n % batches.length] ?? 1 }, () => testProof());
    const texts = jwts.map(({ jwt }) => jwt);
    say('begun', texts);
    const isPublished = await node.enter(jwts).then(
      () => true,
      () => false,
    );
    if (isPublished) say('published', texts);
    if (isPublished && wasOver && victim !== 'node') process.kill(process.pid, 'SIGKILL');
    await delay(20);
  }
}

/** @returns whether it was there to be killed */
function kill({ victim, cluster }: KilledNodeOptions): boolean {
  const isOfServer = victim === 'database' || victim === 'both';
  const wasThere = isOfServer && killServer(cluster);
  if (victim === 'database' && !wasThere) return false;
  process.stdout.write(victim === 'connections' ? 'connections\n' : 'killed\n');
  if (victim === 'node' || victim === 'both') process.kill(process.pid, 'SIGKILL');
  return true;
}

/** Has the blob store's own writes be interrupted, whose files are opened by what this replaces. */
function interruptWrite({ moment, after, part }: KilledNodeOptions, killOnce: () => void): void {
  if (!WRITING.some((one) => one === moment)) return;
  const open = fs.open;
  let files = 0;
  fs.open = async (path, flags, mode) => {
    // the folder, after the file has got its name
    if (flags === 'r' && moment === 'named' && files > after) killOnce();
    const file = await open(path, flags, mode);
    if (flags !== 'wx') return file;
    files += 1;
    if (files > after) interruptFile(file);
    return file;
  };
  syncBuiltinESMExports();

  function interruptFile(file: FileHandle): void {
    const [writeFile, sync] = [file.writeFile.bind(file), file.sync.bind(file)];
    file.writeFile = async (data) => {
      if (!(data instanceof Uint8Array) || moment !== 'torn') return writeFile(data);
      const size = Math.floor(data.length * part);
      await writeFile(data.subarray(0, size));
      killOnce();
      await writeFile(data.subarray(size));
    };
    file.sync = async () => {
      if (moment === 'written') killOnce();
      await sync();
    };
  }
}

if (process.argv[1] === import.meta.filename) await run(JSON.parse(process.argv[2] ?? '{}'));
