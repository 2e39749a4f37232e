import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { useFolder } from './kit/folder.ts';
import { PATIENT } from './kit/patience.ts';
import { askAnew, byProcess, processesOf, sum } from './kit/processes.ts';
import { openStore, putProducts } from './kit/registry.ts';
import { type ServeProcess, spawnServe, untilReady } from './kit/serve-process.ts';
import { freePort } from './kit/servers.ts';

const SHOP = 'https://shop.example';
const CHECKS = '/api/v1/mc4p/page-checks';
const REQUESTS = 'touchstone_http_request_duration_seconds_count';
const OLD_BLOB = 'blobs/ab/old.png';

const dataDir = useFolder('processes');
let port: number;
let service: ServeProcess;
const start = () => spawnServe({ port, dataDir, env: { TOUCHSTONE_PROCESSES: '2' } });
const bothAnswer = () =>
  vi.waitFor(async () => {
    const counting = byProcess(await metrics(), 'touchstone_signatures_total');
    expect([...counting.keys()].toSorted()).toEqual(['1', '2']);
  }, PATIENT);
const metrics = async () => (await askAnew(`${service.url}/metrics`)).text;

beforeAll(async () => {
  // as left behind by a version that ran as root
  await mkdir(join(dataDir, 'blobs/ab'), { recursive: true });
  await writeFile(join(dataDir, OLD_BLOB), 'of root');
  port = await freePort();
  service = start();
  await untilReady(service);
  await bothAnswer();
});
afterAll(async () => {
  await service?.stop();
});

async function register(): Promise<string> {
  const { id } = await openStore(service, SHOP);
  const row = { externalProductId: '1', url: `${SHOP}/products/cup`, name: 'Cup', images: [] };
  const [productId = ''] = await putProducts(service, id, [row]);
  return productId;
}

describe('a service of two processes', () => {
  it('reports once that it is ready', async () => {
    await expect.poll(() => service.output().match(/Touchstone is ready/g)).toHaveLength(1);
  });

  it('has one proof per state, whichever process is asked, and its metrics add up', async () => {
    const url = `${service.url}/api/v1/mc4p/products/${await register()}/certificate`;
    const answers = await Promise.all(Array.from({ length: 40 }, () => askAnew(url)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // a response is counted after it was sent
    const answeredBy = (counted: string) => byProcess(counted, REQUESTS, 'operation="getProductCertificate"');
    await expect.poll(async () => sum(answeredBy(await metrics()))).toBe(40);
    const counted = await metrics();
    // both processes, and the job that issues certificates ahead, may sign the claims, which are recorded once: RS256 gives the same
    // bytes
    expect([1, 2, 3]).toContain(sum(byProcess(counted, 'touchstone_signatures_total')));
    const answered = answeredBy(counted);
    expect([...answered.values()].every((count) => count > 0)).toBe(true);
    expect([...byProcess(counted, 'process_resident_memory_bytes').keys()].toSorted()).toEqual([
      '1',
      '2',
      'supervisor',
    ]);
  });

  it('reports in one process what concerns all nodes, and in each what it does itself', async () => {
    const tellers = async (name: string) =>
      [...byProcess(await metrics(), `touchstone_${name}`).keys()].toSorted();
    // counted soon after the start; if another process reported it too, the sum would be wrong
    await expect.poll(() => tellers('images')).toEqual(['1']);
    for (const name of ['database_connections', 'images_under_way', 'registry_changes_running'])
      expect([name, await tellers(name)]).toEqual([name, ['1', '2']]);
  });

  it.runIf(process.getuid?.() === 0)('has no root privileges in the processes that answer', async () => {
    const idOf = async (pid: number, what: string) =>
      new RegExp(`^${what}:\\s+(\\w+)`, 'm').exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
    const { uid } = await stat(join(dataDir, 'postgres'));
    const answering = processesOf(service.pid);
    expect(answering).toHaveLength(2);
    for (const pid of answering) {
      expect(await idOf(pid, 'Uid')).toBe(String(uid));
      // only root may enter the folder of this test, so the capability to read is kept
      expect(await idOf(pid, 'CapEff')).toBe('0000000000000004');
    }
    for (const path of ['blobs', OLD_BLOB]) expect((await stat(join(dataDir, path))).uid).toBe(uid);
    const { uid: owner, mode } = await stat(join(dataDir, 'master.key'));
    expect([owner, mode & 0o777]).toEqual([0, 0o640]);
  });

  it('counts fresh checks, and stores idempotency keys, for both together', async () => {
    const check = () =>
      askAnew(service.url + CHECKS, {
        method: 'POST',
        body: { url: 'http://127.0.0.1:9/', freshness: 'fresh' },
      });
    const statuses = (await Promise.all(Array.from({ length: 14 }, check))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(10).fill(200), ...Array(4).fill(429)]);
    const make = () =>
      askAnew(`${service.url}/api/v1/registry/merchants`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.operatorKey}`, 'idempotency-key': 'once' },
        body: { name: 'Once', planCapacity: 1 },
      });
    const made = [await make(), await make(), await make(), await make()];
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  });

  it('replaces a process that was killed, while the other one answers', async () => {
    const [first = 0] = processesOf(service.pid);
    let lost = 0;
    let isOver = false;
    const asking = Array.from({ length: 4 }, async () => {
      while (!isOver) await askAnew(`${service.url}/healthz`).catch(() => (lost += 1));
    });
    await askAnew(`${service.url}/healthz`);
    process.kill(first, 'SIGKILL');
    await vi.waitFor(() => expect(processesOf(service.pid)).not.toContain(first), PATIENT);
    await bothAnswer();
    isOver = true;
    await Promise.all(asking);
    // requests on its connections, and no later ones
    expect(lost).toBeLessThanOrEqual(4);
    expect(sum(byProcess(await metrics(), 'touchstone_process_ends_total'))).toBe(1);
    expect(processesOf(service.pid)).not.toContain(first);
  });

  it('ends with its supervisor when that is killed, and starts again on the same folder', async () => {
    const processes = processesOf(service.pid);
    service.kill('SIGKILL');
    await service.ended;
    await expect.poll(() => processes.filter(isRunning)).toEqual([]);
    service = start();
    await untilReady(service);
    await bothAnswer();
  });

  it('refuses a second service on its port, with advice', async () => {
    const [code, output] = await refused({});
    expect(code).toBe(3);
    expect(output).toContain(`Something else listens on 127.0.0.1:${port} already`);
  });

  it('drains all of them and exits 0 on SIGTERM', async () => {
    const processes = processesOf(service.pid);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(processes.filter(isRunning)).toEqual([]);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('a fault that only the processes themselves encounter is reported once', async () => {
  const base = 'https://a.example';
  const [code, output] = await refused({
    TOUCHSTONE_NAMESPACE_URL: `${base}/docs#`,
    TOUCHSTONE_BASE_URL: base,
  });
  expect(code).toBe(3);
  expect(output.match(/TOUCHSTONE_NAMESPACE_URL/g)).toHaveLength(1);
});

async function refused(env: Record<string, string>) {
  const refusal = spawnServe({ port, dataDir, env: { TOUCHSTONE_PROCESSES: '2', ...env } });
  return [await refusal.ended, refusal.output()] as const;
}
