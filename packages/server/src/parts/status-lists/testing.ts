import { createKeySet } from '@touchstone/certificate';
import { entryAt, readStatusList, type StatusList } from '@touchstone/certificate/withdrawal';
import { secretsOf } from '../../platform/secrets/testing.ts';
import type { TestService } from '../../testing.ts';
import { createStatusEntries } from './allocate.ts';

/** An entry, and where it is. */
export interface TestEntry {
  readonly list: number;
  readonly index: number;
}

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
export async function entriesOf(service: TestService, productIds: readonly string[]): Promise<TestEntry[]> {
  const { database, baseUrl } = service;
  const read = () =>
    database.query<{
      id: string;
      subject_id: string;
      status_list: number | null;
      status_index: number | null;
    }>(
      'select id, subject_id, status_list, status_index from proofs where subject_id = any($1::uuid[]) order by id',
      [productIds],
    );
  const without = (await read()).filter(({ status_list }) => status_list === null);
  if (without.length > 0) {
    const secrets = await secretsOf(service);
    const source = createStatusEntries({ db: database.db, clock: () => new Date(), secrets, baseUrl });
    const entries = await source.take(without.length);
    await database.query(
      `update proofs set status_list = n.list, status_index = n.index
       from unnest($1::bigint[], $2::integer[], $3::integer[]) as n (id, list, index) where proofs.id = n.id`,
      [without.map(({ id }) => id), entries.map(({ list }) => list), entries.map(({ index }) => index)],
    );
  }
  const found = new Map((await read()).map((row) => [row.subject_id, row]));
  return productIds.map((id) => {
    const { status_list: list, status_index: index } = found.get(id) ?? {};
    if (typeof list !== 'number' || typeof index !== 'number') throw new Error(`no proof of ${id}`);
    return { list, index };
  });
}
