import { createKeySet } from '@touchstone/certificate';
import { entryAt, readStatusList, type StatusList } from '@touchstone/certificate/withdrawal';
import type { TestService } from '../../testing.ts';
import type { Comparison } from './comparison.ts';

/** An entry, and where it is. */
export interface TestEntry {
  readonly list: number;
  readonly index: number;
}

/** Of a test that gives out entries without a blob store. */
export const COMPARED: Pick<Comparison, 'whenDone' | 'lost'> = { whenDone: (read) => read(), lost: 0 };

/** Reads a list as a verifier does, from one node. */
export async function fetchList(
  { url, baseUrl }: Pick<TestService, 'url' | 'baseUrl'>,
  list: number,
  now = new Date(),
): Promise<{ readonly token: string; readonly list: StatusList }> {
  const keys = await fetch(`${url}/api/v1/.well-known/status-list-jwks.json`);
  const response = await fetch(`${url}/api/v1/mc4p/status/${list}`);
  const token = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${token}`);
  const uri = `${baseUrl}/api/v1/mc4p/status/${list}`;
  const read = await readStatusList(token, { keySet: createKeySet(await keys.json()), uri, now });
  if (typeof read === 'string') throw new Error(read);
  return { token, list: read };
}

/** The value of an entry, as a verifier reads it from a node. */
export async function valueAt(
  service: Pick<TestService, 'url' | 'baseUrl'>,
  { list, index }: TestEntry,
): Promise<number> {
  return entryAt((await fetchList(service, list)).list.entries, index);
}

/** The entries of the proofs of these products, of which there is one each, in their order. */
export async function entriesOf(
  { database }: Pick<TestService, 'database'>,
  productIds: readonly string[],
): Promise<TestEntry[]> {
  const rows = await database.query<{ id: string; list: number; index: number }>(
    'select subject_id as id, status_list as list, status_index as index from proofs where subject_id = any($1::uuid[])',
    [productIds],
  );
  return productIds.map((id) => {
    const { list, index } = rows.find((row) => row.id === id) ?? {};
    if (typeof list !== 'number' || typeof index !== 'number') throw new Error(`no proof of ${id}`);
    return { list, index };
  });
}
