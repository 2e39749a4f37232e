import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cannotTell, usage } from '../../../cli-error.ts';
import { codeOf } from '../../../files.ts';
import { reasonOf } from '../../../problem.ts';
import { fromServer } from '../../../server.ts';
import { createFileState, synchronize, type WitnessState, writeSynchronized } from './witness-state.ts';

export interface OpenState extends WitnessState {
  close(): Promise<void>;
}

/**
 * Opens what a witness has cosigned: files of its folder, or a PostgreSQL. It stays where it began, for with another memory it would
 * contradict itself; the folder names the memory in the database.
 *
 * @param vkey - of the witness
 * @throws CliError (usage) for another memory than that with which it began, (could not tell) if the database cannot be used
 */
export async function openState(
  folder: string,
  database: string | undefined,
  vkey: string,
): Promise<OpenState> {
  const [files, marker] = [join(folder, 'cosigned'), join(folder, 'database')];
  const memory = await readFile(marker, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (database === undefined) {
    if (memory !== undefined)
      throw usage(`The witness in ${folder} remembers in a database what it has cosigned: --database <url>`);
    return { ...createFileState(files), close: async () => {} };
  }
  if ((await readdir(files).catch((): string[] => [])).length > 0)
    throw usage(
      `The witness remembers in ${files} what it has cosigned, and could contradict itself with another memory.`,
      'Run it without --database, or make a new key in another folder.',
    );
  const { openWitnessCheckpoints } = await fromServer(() => import('@touchstone/server'));
  const state = await openWitnessCheckpoints(database, vkey).catch((error: unknown) => {
    throw cannotTell('witness_not_usable', `The database of the witness cannot be used: ${reasonOf(error)}.`);
  });
  try {
    if (memory === undefined) await keepMarker(folder, marker, state.memory);
    else if (memory.trim() !== state.memory)
      throw usage(
        'The database has another memory than that with which this witness began, and could make it contradict itself.',
        'Name the first database. If it is lost, make a new key in another folder.',
      );
    return state;
  } catch (error) {
    await state.close();
    throw error;
  }
}

async function keepMarker(folder: string, marker: string, memory: string): Promise<void> {
  await writeSynchronized(marker, `${memory}\n`).catch((error: unknown) => {
    // another process, which has found the same
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  await synchronize(folder);
}
