import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createKeySet } from '@touchstone/certificate';
import { readStatusList } from '@touchstone/certificate/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockMerchants } from '../../../packages/server/src/core/registry/plan-seats.ts';
import { createStatusEntries } from '../../../packages/server/src/parts/status-lists/allocate.ts';
import {
  COMPARED,
  entriesOf,
  fetchList,
  type TestEntry,
  valueAt,
} from '../../../packages/server/src/parts/status-lists/testing.ts';
import { secretsOf } from '../../../packages/server/src/platform/secrets/testing.ts';
import { databaseUrl, type TestService, testService } from '../../../packages/server/src/testing.ts';
import { covers, scenario } from '../../kit/scenario.ts';

const BASE_URL = 'https://certificates.example';
const settings = { TOUCHSTONE_BASE_URL: BASE_URL, TOUCHSTONE_CERTIFICATES_AHEAD: 'false' };

let service: TestService;
let merchantId: string;
let storeId: string;

beforeAll(async () => {
  service = await testService({ settings });
  ({ merchantId, storeId } = await addStore(service));
});
afterAll(() => service.dispose());

async function addStore({ operate }: TestService): Promise<{ merchantId: string; storeId: string }> {
  const merchant = (await operate('POST', '/api/v1/registry/merchants', { name: 'M', planCapacity: 50 })) as {
    id: string;
  };
  const host = `${randomUUID()}.example`;
  const body = { merchantId: merchant.id, name: 'Shop', url: `https://${host}/` };
  const store = (await operate('POST', '/api/v1/registry/stores', body)) as { id: string };
  return { merchantId: merchant.id, storeId: store.id };
}

/** Products with a certificate each. */
async function addProducts(count: number): Promise<string[]> {
  const { url } = (await service.operate('GET', `/api/v1/registry/stores/${storeId}`)) as { url: string };
  const rows = Array.from({ length: count }, () => {
    const name = randomUUID();
    return { externalProductId: name, url: `${url}${name}`, name, images: [] };
  });
  const put = (await service.operate('PUT', `/api/v1/registry/stores/${storeId}/products`, rows)) as {
    results: { id: string }[];
  };
  const ids = put.results.map(({ id }) => id);
  for (const id of ids) await fetch(`${service.url}/api/v1/mc4p/products/${id}/certificate`);
  return ids;
}

const product = (method: string, id: string, body?: unknown) =>
  service.operate(method, `/api/v1/registry/products/${id}`, body);

const eventually = (read: () => Promise<unknown>) => expect.poll(read, { interval: 50 });
const eventuallyValue = (entry: TestEntry, on: Pick<TestService, 'url' | 'baseUrl'> = service) =>
  eventually(() => valueAt(on, entry));

describe('a status list', () => {
  it('is served with its type, ETag, 304, HEAD, for any origin; unknown ones are 404, and there is no history', async () => {
    const [id = ''] = await addProducts(1);
    const [{ list } = { list: 0 }] = await entriesOf(service, [id]);
    const url = `${service.url}/api/v1/mc4p/status/${list}`;
    const response = await fetch(url);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/statuslist+jwt',
    ]);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    const etag = response.headers.get('etag') ?? '';
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([
      200,
      response.headers.get('content-length'),
    ]);
    const codeAt = async (path: string) => {
      const answer = await fetch(service.url + path);
      return [answer.status, ((await answer.json()) as { code?: string }).code];
    };
    expect(await codeAt('/api/v1/mc4p/status/1')).toEqual([404, 'status_list_unknown']);
    expect(await codeAt('/api/v1/mc4p/status/9999999999')).toEqual([404, 'status_list_unknown']);
    expect((await codeAt('/api/v1/mc4p/status/01'))[0]).toBe(422);
    expect(await codeAt(`/api/v1/mc4p/status/${list}?time=1686925000`)).toEqual([
      501,
      'status_history_unsupported',
    ]);
    const { list: read } = await fetchList(service, list);
    expect([read.expiresAt - read.issuedAt, read.ttl, [...read.revokedKids]]).toEqual([86_400, 900, []]);
  });

  scenario(
    'is signed by keys that sign no proofs, in a key set of their own that says from when proofs name an entry',
    covers('STATUS-KEYS'),
    async () => {
      const setAt = async (name: string) =>
        (await (await fetch(`${service.url}/api/v1/.well-known/${name}`)).json()) as {
          keys: { kid: string; use: string; alg: string }[];
          claim_required_from?: number;
        };
      const [lists, proofs] = [await setAt('status-list-jwks.json'), await setAt('jwks.json')];
      const kids = proofs.keys.map(({ kid }) => kid);
      expect(lists.keys.length).toBeGreaterThan(0);
      expect(lists.keys.filter(({ kid }) => kids.includes(kid))).toEqual([]);
      expect(lists.keys.every(({ use, alg }) => use === 'sig' && alg === 'RS256')).toBe(true);
      expect(lists.claim_required_from).toBeGreaterThan(Date.now() / 1000);
      expect('claim_required_from' in proofs).toBe(false);
    },
  );

  it('fails with any one character changed, cut or added', async () => {
    const [{ list } = { list: 0 }] = await entriesOf(service, await addProducts(1));
    const { token } = await fetchList(service, list);
    const keys = await (await fetch(`${service.url}/api/v1/.well-known/status-list-jwks.json`)).json();
    const options = {
      keySet: createKeySet(keys),
      uri: `${BASE_URL}/api/v1/mc4p/status/${list}`,
      now: new Date(),
    };
    expect(typeof (await readStatusList(token, options))).toBe('object');
    const passed: number[] = [];
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      if (
        typeof (await readStatusList(token.slice(0, at) + other + token.slice(at + 1), options)) !== 'string'
      )
        passed.push(at);
    }
    for (const altered of [token.slice(0, -1), `${token}A`, `${token}.`, ` ${token}`])
      if (typeof (await readStatusList(altered, options)) !== 'string') passed.push(-1);
    expect(passed).toEqual([]);
  });
});

describe('a proof', () => {
  scenario(
    'is suspended while its product is hidden or its merchant paused, and valid again after that',
    covers('STATUS-SERVED'),
    async () => {
      const [id = ''] = await addProducts(1);
      const [entry = { list: 0, index: 0 }] = await entriesOf(service, [id]);
      expect(await valueAt(service, entry)).toBe(0);
      await product('PATCH', id, { visible: false });
      await eventuallyValue(entry).toBe(2);
      await product('PATCH', id, { visible: true });
      await eventuallyValue(entry).toBe(0);
      const pause = (paused: boolean) =>
        service.operate('PATCH', `/api/v1/registry/merchants/${merchantId}`, { paused });
      await pause(true);
      await eventuallyValue(entry).toBe(2);
      await pause(false);
      await eventuallyValue(entry).toBe(0);
    },
  );

  it('is looked at a second time, since another may have been in the making at the first', async () => {
    const [id = ''] = await addProducts(1);
    await product('PATCH', id, { visible: false });
    const waiting = () =>
      service.database.query<{ again: boolean }>(
        'select again from status_changes where $1 = any(product_ids)',
        [id],
      );
    await eventually(waiting).toEqual([{ again: false }]);
    // recorded after the first look
    const [issued = { list: 0, index: 0 }] = await entriesOf(service, [id]);
    const entry = { ...issued, index: issued.index === 0 ? 1 : issued.index - 1 };
    await service.database.query(
      `insert into proofs (merchant_id, kind, subject_id, snapshot_hash, generation, kid, header, payload, snapshot, issued_at,
         expires_at, status_list, status_index)
       select merchant_id, kind, subject_id, snapshot_hash, generation + 1, kid, header, payload, snapshot, issued_at,
         expires_at, status_list, $2 from proofs where subject_id = $1`,
      [id, entry.index],
    );
    expect(await valueAt(service, entry)).toBe(0);
    await service.database.query('update status_changes set due_at = now() where $1 = any(product_ids)', [
      id,
    ]);
    await eventuallyValue(entry).toBe(2);
    await eventually(waiting).toEqual([]);
  });

  scenario(
    'is withdrawn for good with its product, and does not come back with it',
    covers('STATUS-FINAL'),
    async () => {
      const [id = '', other = ''] = await addProducts(2);
      const [entry = { list: 0, index: 0 }, untouched = entry] = await entriesOf(service, [id, other]);
      await product('PATCH', id, { disabled: true });
      await eventuallyValue(entry).toBe(1);
      await product('PATCH', id, { disabled: false });
      await service.database.query('insert into status_changes (merchant_id, is_bulk) values ($1, true)', [
        merchantId,
      ]);
      await eventually(() => service.database.query('select from status_changes where again')).toEqual([]);
      expect([await valueAt(service, entry), await valueAt(service, untouched)]).toEqual([1, 0]);
    },
  );

  scenario(
    'withdrawn by hand stays invalid and the only one, though rows of the shop state that the product is visible',
    covers('STATUS-FINAL'),
    async () => {
      const [id = ''] = await addProducts(1);
      const [entry = { list: 0, index: 0 }] = await entriesOf(service, [id]);
      const { externalProductId, name, url } = (await product('GET', id)) as Record<string, string>;
      await product('POST', `${id}/withdraw`, {});
      await eventuallyValue(entry).toBe(1);
      const row = { externalProductId, name, url, visible: true };
      const put = await service.operate('PUT', `/api/v1/registry/stores/${storeId}/products`, [row]);
      expect(put).toMatchObject({ results: [{ state: 'hidden', keptHidden: true }] });
      await fetch(`${service.url}/api/v1/mc4p/products/${id}/certificate`);
      expect(await entriesOf(service, [id])).toEqual([entry]);
      expect(await service.database.query('select from proofs where subject_id = $1', [id])).toHaveLength(1);
      expect(await valueAt(service, entry)).toBe(1);
    },
  );

  scenario('of a revoked key is named by all lists', covers('STATUS-KEYS'), async () => {
    const before = (await service.operate('GET', '/api/v1/registry/signing-keys')) as {
      keys: { kid: string; purpose: string; state: string }[];
    };
    const kid =
      before.keys.find(({ purpose, state }) => purpose === 'proofs' && state === 'active')?.kid ?? '';
    const [{ list } = { list: 0 }] = await entriesOf(service, await addProducts(1));
    await service.operate('POST', `/api/v1/registry/signing-keys/${kid}/revoke`);
    await eventually(async () => [...(await fetchList(service, list)).list.revokedKids]).toEqual([kid]);
  });

  it('names a list that a key signs which was not revoked', async () => {
    const [{ list } = { list: 0 }] = await entriesOf(service, await addProducts(1));
    const kidOf = async () => {
      const { token } = await fetchList(service, list);
      return (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string })
        .kid;
    };
    const kid = await kidOf();
    await service.operate('POST', `/api/v1/registry/signing-keys/${kid}/revoke`);
    await eventually(() => kidOf().catch(() => kid)).not.toBe(kid);
  });
});

/** What the registry does when it withdraws a product for good. */
async function withdraw({ database }: TestService, merchant: string, id: string, set: string): Promise<void> {
  await database.query(
    `with changed as (
       update products set ${set}, withdrawn_at = coalesce(withdrawn_at, date_trunc('second', now())) where merchant_id = $1 and id = $2 returning id)
     insert into status_changes (merchant_id, product_ids, is_bulk) select $1, array[id], false from changed`,
    [merchant, id],
  );
}

describe('entries', () => {
  scenario(
    'are given out once, over nodes, restarts and blocks, and not in order',
    covers('STATUS-ONCE'),
    async () => {
      const secrets = await secretsOf(service);
      const options = {
        db: service.database.db,
        clock: () => new Date(),
        secrets,
        baseUrl: BASE_URL,
        comparison: COMPARED,
      };
      const nodes = Array.from({ length: 4 }, () => createStatusEntries(options));
      const taken = await Promise.all(
        nodes.flatMap((node) => Array.from({ length: 10 }, (_, n) => node.take(n === 0 ? 700 : 25))),
      );
      const entries = taken.flat();
      const unique = new Set(entries.map(({ list, index }) => `${list} ${index}`));
      expect(unique.size).toBe(entries.length);
      const indices = entries.map(({ index }) => index);
      const rising = indices.filter((index, n) => n > 0 && index > (indices[n - 1] ?? 0)).length;
      expect(Math.abs(rising / indices.length - 0.5)).toBeLessThan(0.1);
    },
  );

  it('are of a new list when one is nearly full or a week old; the old one is served until its last proof has ended', async () => {
    const { database } = service;
    const lists = () =>
      database.query<{ id: number; closed: boolean }>(
        'select id, closed_at is not null as closed from status_list_allocations order by opened_at',
      );
    const open = async () => (await lists()).filter(({ closed }) => !closed).map(({ id }) => id);
    const [first = 0] = await open();
    await database.query('update status_list_allocations set taken = 1048320 where id = $1', [first]);
    service = await service.restart(settings);
    const [second = 0] = await open();
    expect(second).not.toBe(first);
    expect((await fetchList(service, first)).list.entries).toHaveLength(262_144);
    await database.query(
      "update status_list_allocations set opened_at = now() - interval '8 days' where id = $1",
      [second],
    );
    service = await service.restart(settings);
    expect(await open()).toHaveLength(1);
    expect(await open()).not.toContain(second);
  });
});

describe('two nodes', () => {
  scenario(
    'serve the same bytes, and each change of the other, though publishers lose their connections again and again',
    covers('STATUS-SERVED'),
    async () => {
      const other = await testService({
        databaseUrl: databaseUrl(service.database),
        settings: {
          ...settings,
          TOUCHSTONE_MASTER_KEY_FILE: join(service.dataDir, 'master.key'),
          TOUCHSTONE_BLOBS: join(service.dataDir, 'blobs'),
        },
      });
      try {
        const ids = await addProducts(12);
        const entries = await entriesOf(service, ids);
        const withdrawn: TestEntry[] = [];
        const kill = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'touchstone' and query like '%status\\_%' and random() < 0.7`;
        for (const [n, id] of ids.entries()) {
          const on = n % 2 === 0 ? service : other;
          const path = `/api/v1/registry/products/${id}`;
          // the answer may be lost with a connection, and the caller repeats it
          const hide = async () => {
            const headers = {
              authorization: `Bearer ${service.operatorKey}`,
              'content-type': 'application/json',
            };
            const body = JSON.stringify({ visible: false });
            return (await fetch(on.url + path, { method: 'PATCH', headers, body })).status;
          };
          await eventually(hide).toBe(200);
          withdrawn.push(entries[n] ?? { list: 0, index: 0 });
          await service.database.query(kill);
        }
        for (const entry of withdrawn) {
          await eventuallyValue(entry).toBe(2);
          await eventuallyValue(entry, other).toBe(2);
        }
        const list = entries[0]?.list ?? 0;
        const tokens = async () => [
          (await fetchList(service, list)).token,
          (await fetchList(other, list)).token,
        ];
        await eventually(async () => new Set(await tokens()).size).toBe(1);
      } finally {
        await other.dispose();
      }
    },
  );
});

describe('the database', () => {
  it('has a list that the service did not write: the publisher does not go on from it', async () => {
    const [id = '', kept = ''] = await addProducts(2);
    const [entry = { list: 0, index: 0 }, invalid = entry] = await entriesOf(service, [id, kept]);
    await withdraw(service, merchantId, kept, 'disabled = true');
    await eventuallyValue(invalid).toBe(1);
    await eventuallyCopied(invalid.list);
    // a list on which nothing is withdrawn, as an earlier one
    await service.database.query(
      `update status_list_tokens set payload = regexp_replace(payload, '"lst":"[^"]*"', '"lst":"' || $2 || '"') where list_id = $1`,
      [entry.list, 'eNrtwTEBAAAAwqD1T20MH6AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADgZwBAAAE'],
    );
    await product('PATCH', id, { visible: false });
    await eventuallyValue(entry).toBe(2);
    expect(await valueAt(service, invalid)).toBe(1);
    expect(service.log.join('')).toContain('were not written by the service');
  });

  scenario(
    'that is restored beneath a running node does not bring back what was withdrawn',
    covers('STATUS-RESTORED'),
    async () => {
      const [id = '', later = ''] = await addProducts(2);
      const [entry = { list: 0, index: 0 }] = await entriesOf(service, [id, later]);
      const { database } = service;
      await database.query('create table former as select * from status_list_tokens');
      await withdraw(service, merchantId, id, 'disabled = true');
      await eventuallyValue(entry).toBe(1);
      await eventuallyCopied(entry.list);
      await database.query('delete from status_changes');
      await database.query('update products set disabled = false, withdrawn_at = null where id = $1', [id]);
      await database.query('delete from status_list_tokens');
      await database.query('insert into status_list_tokens select * from former');
      await database.query('drop table former');
      await product('PATCH', later, { visible: false });
      await eventually(async () => service.log.join('').includes('the database is older than')).toBe(true);
      await eventuallyValue(entry).toBe(1);
    },
  );

  it('takes from an older list what is invalid, and nothing else: what was suspended since stays so', async () => {
    const [id = ''] = await addProducts(1);
    const [entry = { list: 0, index: 0 }] = await entriesOf(service, [id]);
    const { token } = await fetchList(service, entry.list);
    await product('PATCH', id, { visible: false });
    await eventuallyValue(entry).toBe(2);
    // what the merge itself publishes, before its products are looked at again
    await service.database.query('create rule none as on insert to status_changes do instead nothing');
    try {
      const merged = await fetch(`${service.url}/api/v1/registry/status-lists/merge`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      });
      expect(merged.status).toBe(200);
      expect(await valueAt(service, entry)).toBe(2);
    } finally {
      await service.database.query('drop rule none on status_changes');
    }
  });

  /** Withdraws a product, waits for the copy of its list, and closes the service; the database is as it was before then. */
  async function withdrawAndRestore(id: string, entry: TestEntry): Promise<void> {
    const { database } = service;
    await database.query('create table former as select * from status_list_tokens');
    await withdraw(service, merchantId, id, 'disabled = true');
    await eventuallyValue(entry).toBe(1);
    await eventuallyCopied(entry.list);
    await service.close();
    await database.query('delete from status_changes');
    await database.query('update products set disabled = false, withdrawn_at = null where id = $1', [id]);
    await database.query('delete from withdrawals where product_id = $1', [id]);
    await database.query('delete from status_list_tokens');
    await database.query('insert into status_list_tokens select * from former');
    await database.query('drop table former');
  }

  scenario(
    'that is older than what was published keeps what was withdrawn, and gives out entries of new lists',
    covers('STATUS-RESTORED'),
    async () => {
      const [id = '', later = ''] = await addProducts(2);
      const [entry = { list: 0, index: 0 }, other = entry] = await entriesOf(service, [id, later]);
      await withdrawAndRestore(id, entry);
      service = await service.restart(settings);
      expect([await valueAt(service, entry), await valueAt(service, other)]).toEqual([1, 0]);
      const kept = await service.database.query(
        'select p.withdrawn_at = (select max(issued_at) from proofs where subject_id = p.id) as withdrawn from products p where id = any($1::uuid[]) order by id = $2 desc',
        [[id, later], id],
      );
      expect(kept).toEqual([{ withdrawn: true }, { withdrawn: null }]);
      const listed = (await service.operate('GET', `/api/v1/registry/withdrawals?productId=${id}`)) as {
        withdrawals: unknown[];
      };
      expect(listed.withdrawals).toEqual([expect.objectContaining({ cause: 'restored', productId: id })]);
      const { lists, restoredAt } = (await service.operate('GET', '/api/v1/registry/status-lists')) as {
        lists: { list: number; closedAt?: string }[];
        restoredAt?: string;
      };
      expect(restoredAt).toBeDefined();
      expect(lists.filter(({ closedAt }) => closedAt === undefined).map(({ list }) => list)).not.toContain(
        entry.list,
      );
      expect(service.log.join('')).toContain(
        'the database is older than the status lists that were published',
      );
      await service.database.query('insert into status_changes (merchant_id, is_bulk) values ($1, true)', [
        merchantId,
      ]);
      await eventually(() => service.database.query('select from status_changes where again')).toEqual([]);
      expect(await valueAt(service, entry)).toBe(1);
    },
  );

  it('takes over what was withdrawn under the lock of its merchant, as all that withdraws does', async () => {
    const [id = ''] = await addProducts(1);
    const [entry = { list: 0, index: 0 }] = await entriesOf(service, [id]);
    const { database } = service;
    await withdraw(service, merchantId, id, 'disabled = true');
    await eventuallyValue(entry).toBe(1);
    const { token } = await fetchList(service, entry.list);
    await database.query('update products set disabled = false, withdrawn_at = null where id = $1', [id]);
    const withdrawn = () =>
      database.query('select withdrawn_at is not null as at from products where id = $1', [id]);
    const merge = await database.db.transaction().execute(async (trx) => {
      await lockMerchants(trx, [merchantId]);
      const merging = service.operate('POST', '/api/v1/registry/status-lists/merge', { token });
      const waiting = `select from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%for update%' and datname = current_database()`;
      await eventually(async () => (await database.query(waiting)).length).toBe(1);
      expect(await withdrawn()).toEqual([{ at: false }]);
      return { merging };
    });
    await merge.merging;
    expect(await withdrawn()).toEqual([{ at: true }]);
    // active, it has another certificate
    const certificate = `${service.url}/api/v1/mc4p/products/${id}/certificate`;
    await eventually(async () => (await fetch(certificate)).status).toBe(200);
    const living = 'select count(distinct status_index)::int as proofs from proofs where subject_id = $1';
    expect(await database.query(living, [id])).toEqual([{ proofs: 2 }]);
  });

  scenario(
    'that was restored while the blob store is away, or another folder is in its place: nothing is given out, signed or answered from it before it was compared; certificates in hand are served',
    covers('STATUS-RESTORED'),
    async () => {
      const [id = '', inHand = ''] = await addProducts(2);
      const [entry = { list: 0, index: 0 }] = await entriesOf(service, [id]);
      await withdrawAndRestore(id, entry);
      const blobs = join(service.dataDir, 'blobs');
      await rename(blobs, `${blobs}-away`);
      await writeFile(blobs, 'not a folder');
      service = await service.restart({ ...settings, TOUCHSTONE_BLOBS: blobs });
      const get = async (path: string) => {
        const response = await fetch(service.url + path);
        const { code } = (await response.json().catch(() => ({}))) as { code?: string };
        return [response.status, code, response.headers.get('retry-after')];
      };
      const certificate = (productId: string) => get(`/api/v1/mc4p/products/${productId}/certificate`);
      const [added = ''] = await addProducts(1);
      const isClosed = async () => {
        // due for a publishing, which would sign it from what the database says
        await service.database.query('insert into status_changes (is_bulk) values (false)');
        expect(await get(`/api/v1/mc4p/status/${entry.list}`)).toEqual([503, 'blobs_unavailable', '5']);
        expect(await certificate(added)).toEqual([503, 'signer_unavailable', '5']);
        expect((await certificate(inHand))[0]).toBe(200);
        const ready = await fetch(`${service.url}/readyz`);
        expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', findings: 1 }]);
      };
      await isClosed();
      expect(service.log.join('')).toContain('the copies of status lists are not reachable');
      await rm(blobs);
      await mkdir(blobs);
      await isClosed();
      const state = (await service.operate('GET', '/api/v1/registry/status-lists')) as { lists: unknown[] };
      const [signed] = await service.database.query('select max(issued_at) as at from status_list_tokens');
      await delay(2_000);
      await isClosed();
      expect(await service.database.query('select max(issued_at) as at from status_list_tokens')).toEqual([
        signed,
      ]);
      expect(await readdir(blobs)).toEqual([]);
      await rm(blobs, { recursive: true });
      await rename(`${blobs}-away`, blobs);
      const values: number[] = [];
      const isAnswered = async () => values.push(await valueAt(service, entry));
      await expect.poll(isAnswered).toBeGreaterThan(0);
      expect(values).toEqual([1]);
      await eventually(async () => (await certificate(added))[0]).toBe(200);
      const [ofNew] = await entriesOf(service, [added]);
      expect(state.lists).not.toContainEqual(expect.objectContaining({ list: ofNew?.list }));
    },
  );

  scenario(
    'that was promoted or moved gives out entries of new lists: in the former one, entries may have been given out that it does not know of',
    covers('STATUS-ONCE', 'STATUS-RESTORED'),
    async () => {
      const open = () =>
        service.database.query('select id from status_list_allocations where closed_at is null');
      const before = await open();
      service = await service.restart(settings);
      expect(await open()).toEqual(before);
      await service.database.query("update status_publisher set database = 'another history'");
      service = await service.restart(settings);
      const after = await open();
      expect(after).toHaveLength(1);
      expect(after).not.toEqual(before);
    },
  );
});

/** Waits until the copy of a list is what is served. */
async function eventuallyCopied(list: number): Promise<void> {
  const name = `status-list-${list}.jwt`;
  const isCopied = async () => {
    const names = await readdir(service.dataDir, { recursive: true });
    const path = names.find((each) => each.endsWith(name)) ?? name;
    const copy = await readFile(join(service.dataDir, path), 'utf8').catch(() => '');
    return copy === (await fetchList(service, list)).token;
  };
  await eventually(isCopied).toBe(true);
}
