import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callService, openStore, type Reply } from '../kit/registry.ts';
import { type ServeProcess, spawnServe, untilReady } from '../kit/serve-process.ts';
import { freePort } from '../kit/servers.ts';
import { openSmallDisk, type SmallDisk, whyNoDisk } from './support/disks/small-disk.ts';
import { queryDatabase } from './support/kills/rig.ts';

const why = await whyNoDisk();
/** Timeout of a start or recovery in milliseconds, on a busy machine. */
const PATIENCE = 180_000;
const SHOP = 'https://disk.example';

let disk: SmallDisk;
let port: number;
let service: ServeProcess;
let storeId: string;
/** Products whose creation was acknowledged. */
const acknowledged: string[] = [];
/** Proofs that were served. */
const given: string[] = [];
let products = 0;

const dataDir = () => join(disk.path, 'data');

function start(): ServeProcess {
  return spawnServe({ port, dataDir: dataDir(), env: { TOUCHSTONE_IMAGE_CONCURRENT: '0' } });
}

const api = (method: string, path: string, body?: unknown) =>
  callService(service, method, `/api/v1${path}`, body);
const rowOf = (id: string) => ({ externalProductId: id, name: id, url: `${SHOP}/products/${id}` });

/** Sends one new product. */
async function put(): Promise<Reply & { readonly id?: string }> {
  const name = `p-${products++}`;
  const answer = await api('PUT', `/registry/stores/${storeId}/products`, [rowOf(name)]);
  const result = answer.status === 200 ? JSON.parse(answer.text).results[0] : undefined;
  if (result?.status !== 'created') return answer;
  acknowledged.push(name);
  return { ...answer, id: result.id };
}

async function certificate(id: string): Promise<Reply> {
  const answer = await api('GET', `/mc4p/products/${id}/certificate`);
  if (answer.status === 200) {
    const { proof } = JSON.parse(answer.text) as { proof?: { jwt: string } };
    given.push(proof?.jwt ?? 'a document without a proof');
  }
  return answer;
}

/** A cached product with its cached certificate. */
interface Known {
  readonly id: string;
  readonly url: string;
  readonly document: unknown;
}
let known: Known;

async function whatIsInMemory(): Promise<readonly unknown[]> {
  const document = await certificate(known.id);
  const verified = await api('POST', `/mc4p/products/${known.id}/verify`, {
    productUrl: known.url,
    document: known.document,
  });
  return [document.status, verified.status, JSON.parse(verified.text).status];
}
const IN_MEMORY = [200, 200, 'verified'];

/** Polls until the condition holds; returns the last value. */
async function until<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  for (const end = performance.now() + PATIENCE; ; await delay(200)) {
    const value = await read();
    if (isSo(value) || performance.now() > end) return value;
  }
}

const codeOf = ({ status, text }: Reply) => (status >= 400 ? JSON.parse(text).code : status);

/** Acknowledged data that is missing, and served proofs that are not recorded. */
async function losses(): Promise<string[]> {
  const stored = await queryDatabase<{ id: string }>(
    dataDir(),
    'select external_product_id as id from products',
  );
  const proofs = await queryDatabase<{ jwt: string }>(
    dataDir(),
    "select header || '.' || payload || '.' || coalesce(signature, '') as jwt from proofs",
  );
  const [ids, jwts] = [new Set(stored.map(({ id }) => id)), new Set(proofs.map(({ jwt }) => jwt))];
  return [...acknowledged.filter((id) => !ids.has(id)), ...given.filter((jwt) => !jwts.has(jwt))];
}

const isReady = async () => (await callService(service, 'GET', '/readyz')).status === 200;

describe.skipIf(why !== null)(
  `the disk of the data folder${why === null ? '' : ` (skipped: ${why})`}`,
  () => {
    beforeAll(async () => {
      disk = await openSmallDisk(400);
      port = await freePort();
      service = start();
      await untilReady(service, PATIENCE);
      storeId = (await openStore(service, SHOP)).id;
      const { id = '' } = await put();
      known = { id, url: `${SHOP}/products/p-0`, document: JSON.parse((await certificate(id)).text) };
      expect(await whatIsInMemory()).toEqual(IN_MEMORY);
    }, 2 * PATIENCE);
    afterAll(async () => {
      await service?.stop();
      await disk?.close();
    }, PATIENCE);

    it('full: writes are refused with the reason, cached data is served, and it recovers by itself', async () => {
      await disk.fill();
      const rows = Array.from({ length: 3_000 }, (_, n) => `${JSON.stringify(rowOf(`i-${n}`))}\n`).join('');
      const imported = await until(
        () => api('PUT', `/registry/stores/${storeId}/products`, rows),
        ({ status }) => status !== 200,
      );
      expect(codeOf(imported)).toBe('database_full');
      expect(imported.text).toContain('must free space');
      expect(Number(imported.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await whatIsInMemory()).toEqual(IN_MEMORY);
      await disk.makeRoom();
      expect((await until(put, ({ status }) => status === 200)).status).toBe(200);
      expect(await losses()).toEqual([]);
    });

    it('full while PostgreSQL needs space for its log: it stops, is reported as full, and recovers by itself', async () => {
      await disk.fill();
      // starts the next segment of the log each time, until there is no space for one
      const stopped = await until(
        async () => {
          await Promise.race([put(), delay(500)]).catch(() => {});
          return queryDatabase(dataDir(), 'select pg_switch_wal()').then(
            () => false,
            () => true,
          );
        },
        (isSo) => isSo,
      );
      expect(stopped).toBe(true);
      expect(codeOf(await until(put, (answer) => codeOf(answer) === 'database_full'))).toBe('database_full');
      await until(
        async () => service.output(),
        (output) => output.includes('is full'),
      );
      expect(service.output()).toContain('Free about 100 MB. It is started again until it can be.');
      expect(await isReady()).toBe(false);
      await disk.makeRoom();
      expect((await until(put, ({ status }) => status === 200)).status).toBe(200);
      expect(await whatIsInMemory()).toEqual(IN_MEMORY);
      expect(await losses()).toEqual([]);
    });

    it('that does not answer writes for a while: reads continue, writes are answered with a timeout', async () => {
      const { id: fresh = '' } = await until(put, ({ id }) => id !== undefined);
      await disk.freeze();
      try {
        const [writing, asking] = [put(), certificate(fresh)];
        expect(await whatIsInMemory()).toEqual(IN_MEMORY);
        expect(codeOf(await writing)).toBe('database_busy');
        // 200 if it was issued ahead; otherwise its intent cannot be recorded, and there is no response without a proof
        expect([200, 'database_busy']).toContain(codeOf(await asking));
        expect(await whatIsInMemory()).toEqual(IN_MEMORY);
      } finally {
        // any other process that writes to it, including this one, would wait forever
        await disk.thaw();
      }
      expect((await until(put, ({ status }) => status === 200)).status).toBe(200);
      expect(
        (
          await until(
            () => certificate(fresh),
            ({ status }) => status === 200,
          )
        ).status,
      ).toBe(200);
      expect(await losses()).toEqual([]);
    });

    it('full at the start: reports it and exits with 3, and starts once there is space', async () => {
      service.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      await disk.fill();
      service = start();
      expect(await service.ended).toBe(3);
      expect(service.output()).toContain(`The disk of the data folder ${dataDir()} is full`);
      expect(service.output()).toContain('TOUCHSTONE_DATA_DIR');
      await disk.makeRoom();
      service = start();
      await untilReady(service, PATIENCE);
      expect((await until(put, ({ status }) => status === 200)).status).toBe(200);
      expect(await losses()).toEqual([]);
    });

    it('read-only: writes are refused with the reason; a start reports it and exits with 3; once repaired, nothing is lost', async () => {
      await disk.breakWrites();
      const refused = await until(put, (answer) => codeOf(answer) === 'database_read_only');
      expect(codeOf(refused)).toBe('database_read_only');
      expect(refused.text).toContain('read-only');
      service.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      service = start();
      expect(await service.ended).toBe(3);
      expect(service.output()).toMatch(/data folder .* read-only/);
      await disk.repair();
      service = start();
      await untilReady(service, PATIENCE);
      expect(await losses()).toEqual([]);
      expect((await put()).status).toBe(200);
      expect(await whatIsInMemory()).toEqual(IN_MEMORY);
    });
  },
);
