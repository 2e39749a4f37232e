import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../../files.ts';

/** The latest checkpoint that was cosigned for a log. */
export interface Cosigned {
  /** Counts the checkpoints of the log from 1. */
  readonly sequence: number;
  /** The checkpoint with the log's signatures and our cosignature. */
  readonly note: string;
}

/** Where a witness remembers what it has cosigned. Any number of requests and processes may use it at the same time. */
export interface WitnessState {
  /** Durable: what is returned is still there after a crash, so that it may be shown to others. */
  latest(origin: string): Promise<Cosigned | undefined>;
  /**
   * Takes the place of the checkpoint with the sequence `after` (0: of none), durably.
   *
   * @returns false if another has taken it: the cosignature of `note` must not leave then
   */
  commit(origin: string, after: number, note: string): Promise<boolean>;
}

/**
 * Keeps it in files: `<folder>/<hex SHA-256 of the origin>/<sequence>`. A file is written under another name, synchronised, and then linked
 * to its name, which fails if the name is taken. This is the only step that decides: it needs no lock, and a process that is killed before or
 * after it leaves nothing half done.
 */
export function createFileState(folder: string): WitnessState {
  /** By log: the highest sequence whose directory entry is known to be durable. */
  const durable = new Map<string, number>();

  async function latest(origin: string): Promise<Cosigned | undefined> {
    const own = folderOf(folder, origin);
    for (;;) {
      const sequence = Math.max(0, ...(await sequencesIn(own)));
      if (sequence === 0) return undefined;
      if ((durable.get(own) ?? 0) < sequence) {
        // linked by another process, or before a crash: perhaps not yet on the disk
        await synchronize(own);
        durable.set(own, sequence);
      }
      const note = await readFile(nameOf(own, sequence), 'utf8').catch(absentIfRemoved);
      // removed meanwhile, because a later one is there
      if (note !== undefined) return { sequence, note };
    }
  }

  async function commit(origin: string, after: number, note: string): Promise<boolean> {
    const own = folderOf(folder, origin);
    if (after === 0) await makeFolder(own);
    const sequence = after + 1;
    const beside = join(own, `.${sequence}-${randomUUID()}`);
    try {
      await writeSynchronized(beside, note);
      if (!(await linkUnlessTaken(beside, nameOf(own, sequence)))) return false;
      // whoever is slow may link a name that was removed since: a later one is there then
      if ((await sequencesIn(own)).some((one) => one > sequence)) {
        await rm(nameOf(own, sequence), { force: true });
        return false;
      }
      await synchronize(own);
    } finally {
      await rm(beside, { force: true });
    }
    durable.set(own, sequence);
    for (const name of await readdir(own)) {
      // what was left by kills, too; whoever would still link one of these is too late
      const [, number = sequence] = /^\.?(\d+)(?:-.*)?$/.exec(name) ?? [];
      if (Number(number) < sequence) await rm(join(own, name), { force: true });
    }
    return true;
  }

  return { latest, commit };
}

const folderOf = (folder: string, origin: string): string => join(folder, originHash(origin));

/** By which a witness publishes what it has cosigned for a log (c2sp.org/tlog-witness, Monitor Retrieval Mechanism). */
export function originHash(origin: string): string {
  return createHash('sha256').update(origin).digest('hex');
}

const nameOf = (folder: string, sequence: number): string => join(folder, String(sequence));

async function sequencesIn(folder: string): Promise<number[]> {
  const names = (await readdir(folder).catch(absentIfRemoved)) ?? [];
  return names.filter((name) => /^[1-9]\d*$/.test(name)).map(Number);
}

async function linkUnlessTaken(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await synchronize(dirname(path));
}

/** Writes a new file that only its owner may read; resolves when it is on the disk. */
export async function writeSynchronized(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Resolves when the names in a folder are on the disk. */
export async function synchronize(folder: string): Promise<void> {
  const file = await open(folder, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function absentIfRemoved(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}
