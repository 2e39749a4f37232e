import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../kit/random.ts';
import { openStore, operate, putProducts } from '../../../kit/registry.ts';
import type { KillRig } from './rig.ts';

/** Work that continues while processes are killed, with invariants to check afterwards. */
export interface Work {
  readonly name: string;
  /** One unit of work; returns whether the service acknowledged it. */
  turn(): Promise<boolean>;
  /** Violated invariants after all work has stopped; waits for unfinished work. */
  faults(): Promise<string[]>;
}

/** Timeout in milliseconds for acknowledged work that continues in the background. */
const FINISHING = 120_000;
const ROWS_OF_AN_IMPORT = 3_000;
const ROWS_OF_A_DELETED_STORE = 1_500;

async function addStore(rig: KillRig, name: string) {
  const url = `https://${name}.example`;
  const { id, merchantId } = await openStore(rig.service(), url);
  return { merchantId, storeId: id, url };
}

const rowOf = (url: string, id: string, name: string) => ({
  externalProductId: id,
  name,
  url: `${url}/products/${id}`,
  images: [{ url: `${url}/${id}.jpg` }],
});

/** One product after another, each in its own call. */
export async function singleWrites(rig: KillRig): Promise<Work> {
  const { storeId, url } = await addStore(rig, 'writes');
  const acknowledged = new Map<string, string>();
  let turns = 0;
  return {
    name: 'single writes',
    async turn() {
      const id = `w-${turns++}`;
      const name = `${id} ${Math.random()}`;
      const answer = await rig.call('PUT', `/registry/stores/${storeId}/products`, [rowOf(url, id, name)]);
      if (answer?.status !== 200 || JSON.parse(answer.text).results[0].status !== 'created') return false;
      acknowledged.set(id, name);
      return true;
    },
    async faults() {
      const rows = await rig.query<{ id: string; name: string }>(
        'select external_product_id as id, name from products where store_id = $1',
        [storeId],
      );
      const stored = new Map(rows.map((row) => [row.id, row.name]));
      return [...acknowledged]
        .filter(([id, name]) => stored.get(id) !== name)
        .map(([id]) => `product ${id} was acknowledged and is not there`);
    },
  };
}

/** The same catalogue repeatedly, each time with names of a later version. */
export async function imports(rig: KillRig): Promise<Work> {
  const { storeId, url } = await addStore(rig, 'imports');
  const path = `/registry/stores/${storeId}/products`;
  const versions = new Map<string, number>();
  let version = 0;
  const send = async () => {
    version += 1;
    const rows = Array.from({ length: ROWS_OF_AN_IMPORT }, (_, n) =>
      rowOf(url, `i-${n}`, `version ${version}`),
    );
    const answer = await rig.call('PUT', path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    if (answer?.status !== 200) return false;
    const lines = answer.text.trimEnd().split('\n');
    const results = lines.map((line) => JSON.parse(line) as { externalProductId?: string; status: string });
    for (const { externalProductId, status } of results) {
      if (externalProductId !== undefined && status !== 'error') versions.set(externalProductId, version);
    }
    return results.every(({ status }) => status !== 'aborted');
  };
  return {
    name: 'imports',
    turn: send,
    async faults() {
      const read = () =>
        rig.query<{ id: string; version: number; images: number; jobs: number }>(
          `select p.external_product_id as id, substr(p.name, 9)::int as version,
             (select count(*)::int from images where product_id = p.id) as images,
             (select count(*)::int from jobs j join images i on i.id = j.subject where i.product_id = p.id) as jobs
           from products p where store_id = $1`,
          [storeId],
        );
      const stored = new Map((await read()).map((row) => [row.id, row.version]));
      const lost = [...versions]
        .filter(([id, least]) => (stored.get(id) ?? 0) < least)
        .map(([id, least]) => `row ${id} was acknowledged in version ${least}, and is of ${stored.get(id)}`);
      // sent again as a whole, the result is as if nothing had been killed
      if (!(await send())) return [...lost, 'an import without a kill was not acknowledged'];
      const whole = await read();
      const odd = whole.filter((row) => row.version !== version || row.images !== 1 || row.jobs !== 1);
      if (whole.length !== ROWS_OF_AN_IMPORT)
        lost.push(`${whole.length} products instead of ${ROWS_OF_AN_IMPORT}`);
      return [...lost, ...odd.slice(0, 5).map((row) => `after a whole import: ${JSON.stringify(row)}`)];
    },
  };
}

const WITHOUT_CERTIFICATE = `select count(*)::int from products p left join certificate_lines l on l.product_id = p.id
  where p.store_id = $1 and l.proof_id is null`;
const PROVEN_TWICE = `select subject_id as id from proofs join products p on p.id = subject_id
  where kind = 'product' and p.store_id = $1 group by subject_id, snapshot_hash having count(*) > 1`;

/** Certificates of products without one, and again of those with one. */
export async function certificates(rig: KillRig, random: Random): Promise<Work> {
  const { storeId, url } = await addStore(rig, 'certificates');
  const rows = Array.from({ length: 1_000 }, (_, n) => rowOf(url, `c-${n}`, `Product ${n}`));
  const ids = await putProducts(rig.service(), storeId, rows);
  const given = new Map<string, Set<string>>();
  return {
    name: 'certificates',
    async turn() {
      const id = random.of(ids);
      const got = await rig.call('GET', `/mc4p/products/${id}/certificate`);
      if (got?.status !== 200) return false;
      const { proof } = JSON.parse(got.text) as { proof?: { jwt: string } };
      given.set(id, (given.get(id) ?? new Set()).add(proof?.jwt ?? 'none'));
      return proof !== undefined;
    },
    async faults() {
      const recorded = await rig.query<{ id: string; jwt: string }>(
        `select subject_id as id, header || '.' || payload || '.' || signature as jwt from proofs
         where kind = 'product' and signature is not null`,
      );
      const missing = await finished(
        'products without a certificate made ahead',
        async () => JSON.stringify(await rig.query(WITHOUT_CERTIFICATE, [storeId])),
        JSON.stringify([{ count: 0 }]),
      );
      const twice = await rig.query<{ id: string }>(PROVEN_TWICE, [storeId]);
      const known = new Map<string, string[]>();
      for (const { id, jwt } of recorded) known.set(id, [...(known.get(id) ?? []), jwt]);
      const ahead = [...missing, ...twice.map(({ id }) => `one state of ${id} has two proofs`)];
      const wrong = [...given].flatMap(([id, jwts]) => [
        ...(jwts.size > 1 ? [`product ${id} was given ${jwts.size} proofs of one state`] : []),
        ...[...jwts]
          .filter((jwt) => known.get(id)?.includes(jwt) !== true)
          .map(() => `a proof of ${id} is not recorded`),
      ]);
      return [...ahead, ...wrong];
    },
  };
}

const CAPACITIES = [0, 100, 1_700, 5_000];

/** Changes of the capacity of a merchant's plan, up and down. */
export async function capacities(rig: KillRig, random: Random): Promise<Work> {
  const { merchantId, storeId, url } = await addStore(rig, 'capacities');
  const rows = Array.from({ length: 4_000 }, (_, n) => `${JSON.stringify(rowOf(url, `s-${n}`, 'P'))}\n`);
  await rig.call('PUT', `/registry/stores/${storeId}/products`, rows.join(''));
  const change = async (planCapacity: number) =>
    (await rig.call('PATCH', `/registry/merchants/${merchantId}`, { planCapacity }))?.status ?? 0;
  return {
    name: 'capacities',
    turn: async () => [200, 202].includes(await change(random.of(CAPACITIES))),
    async faults() {
      const status = await change(1_700);
      if (status !== 200 && status !== 202)
        return [`a change of capacity without a kill was answered ${status}`];
      const seats = () =>
        rig.query(
          `select count(slot_order)::int as given, (select slots_held from merchants where id = $1) as held,
             bool_and((slot_order is not null) = (nth <= 1700)) as oldest
           from (select slot_order, row_number() over (order by created_order) as nth
             from products where merchant_id = $1) p`,
          [merchantId],
        );
      const wanted = JSON.stringify([{ given: 1_700, held: 1_700, oldest: true }]);
      return finished('seats', async () => JSON.stringify(await seats()), wanted);
    },
  };
}

/** Fills and deletes stores. */
export async function deletions(rig: KillRig): Promise<Work> {
  let turns = 0;
  const deleted: string[] = [];
  let store: { storeId: string; url: string } | undefined;
  const merchant = await operate<{ id: string }>(rig.service(), 'POST', '/merchants', {
    name: 'deletions',
    planCapacity: 9_999_999,
  });
  const open = async () => {
    const url = `https://deletions-${turns++}.example`;
    const json = { merchantId: merchant.id, name: 'S', url };
    const answer = await rig.call('POST', '/registry/stores', json);
    if (answer?.status !== 201) return undefined;
    const storeId = JSON.parse(answer.text).id as string;
    const rows = Array.from(
      { length: ROWS_OF_A_DELETED_STORE },
      (_, n) => `${JSON.stringify(rowOf(url, `${n}`, 'P'))}\n`,
    );
    const filled = await rig.call('PUT', `/registry/stores/${storeId}/products`, rows.join(''));
    return filled?.status === 200 ? { storeId, url } : undefined;
  };
  return {
    name: 'deletions',
    async turn() {
      store ??= await open();
      if (store === undefined) return false;
      const answer = await rig.call('DELETE', `/registry/stores/${store.storeId}`);
      // 404: a call whose response was lost had already done it
      if (![200, 202, 204, 404].includes(answer?.status ?? 0)) return false;
      deleted.push(store.storeId);
      store = undefined;
      return true;
    },
    async faults() {
      const left = () =>
        rig.query(
          `select count(*)::int as products, count(slot_order)::int as seats from products
           where store_id = any($1::uuid[]) and (deleted_at is null or slot_order is not null)`,
          [deleted],
        );
      const gone = JSON.stringify([{ products: 0, seats: 0 }]);
      const unfinished = await finished('deletions', async () => JSON.stringify(await left()), gone);
      const shown = await Promise.all(
        deleted.slice(-3).map((id) => rig.call('GET', `/registry/stores/${id}`)),
      );
      return [
        ...unfinished,
        ...shown.filter((answer) => answer?.status !== 404).map(() => 'a deleted store is shown'),
      ];
    },
  };
}

/** Background work in progress besides the calls: kills must interrupt each kind. */
export async function underWay(rig: KillRig): Promise<string[]> {
  const rows = await rig.query<{ what: string }>(
    `select 'certificates ahead' as what from jobs where queue = 'certificates' and state = 'running'
     union select replace(kind, '_', ' ') || ' job' from registry_changes where finished_at is null`,
  );
  return rows.map(({ what }) => what);
}

/** Every merchant's seats match the recorded count, and never exceed its capacity. */
export async function seatFaults(rig: KillRig): Promise<string[]> {
  const rows = await rig.query<{ name: string; held: number; counted: number }>(
    `select name, slots_held as held, counted from merchants m, lateral (
       select count(*)::int as counted from products where merchant_id = m.id and slot_order is not null) c
     where counted <> slots_held`,
  );
  return rows.map(({ name, held, counted }) => `${name} holds ${held} seats, and ${counted} are counted`);
}

async function finished(what: string, read: () => Promise<string>, wanted: string): Promise<string[]> {
  const end = performance.now() + FINISHING;
  let last = '';
  while (performance.now() < end) {
    last = await read();
    if (last === wanted) return [];
    await delay(200);
  }
  return [`${what}: ${last} instead of ${wanted}`];
}
