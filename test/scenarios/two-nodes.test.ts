import { type RunningService, readConfig, startService } from '@touchstone/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestService, testService } from '../../packages/server/src/testing.ts';
import { hasPart } from '../kit/present-parts.ts';

const MINUTE = 60_000;

let first: TestService;
let second: RunningService;
let config: Parameters<typeof startService>[0];
let merchantId: string;
let storeId: string;

beforeAll(async () => {
  const base = { TOUCHSTONE_BASE_URL: 'https://certificates.example', TOUCHSTONE_LOG_LEVEL: 'silent' };
  first = await testService({ settings: base });
  const { host, user, password, database, port } = first.database.connection as Record<string, string>;
  const url = `postgresql://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`;
  config = readConfig({
    ...base,
    TOUCHSTONE_PORT: '0',
    TOUCHSTONE_DATA_DIR: first.dataDir,
    TOUCHSTONE_DATABASE_URL: url,
    TOUCHSTONE_IMAGE_CONCURRENT: '0',
    // whichever node issued in advance, the tests could not choose which one does
    TOUCHSTONE_CERTIFICATES_AHEAD: 'false',
  });
  second = await startService(config);
  const merchant = (await first.operate('POST', '/api/v1/registry/merchants', {
    name: 'M',
    planCapacity: 1000,
  })) as { id: string };
  merchantId = merchant.id;
  const store = (await first.operate('POST', '/api/v1/registry/stores', {
    merchantId,
    name: 'S',
    url: 'https://shop.example',
  })) as { id: string };
  storeId = store.id;
});

afterAll(async () => {
  await second?.close();
  await first?.dispose();
});

async function addProduct(externalProductId: string): Promise<string> {
  const row = {
    externalProductId,
    name: externalProductId,
    url: `https://shop.example/p/${externalProductId}`,
  };
  const path = `/api/v1/registry/stores/${storeId}/products`;
  const { results } = (await first.operate('PUT', path, [row])) as { results: { id: string }[] };
  return results[0]?.id ?? '';
}

async function certificate(node: { url: string }, productId: string) {
  const response = await fetch(`${node.url}/api/v1/mc4p/products/${productId}/certificate`);
  return { status: response.status, etag: response.headers.get('etag'), body: await response.text() };
}

describe('two nodes on one database', () => {
  it('issue a product concurrently with one record, one proof and the same bytes from both', async () => {
    for (let round = 0; round < 10; round++) {
      const productId = await addProduct(`twin-${round}`);
      const nodes = [first, second, first, second, second, first];
      const answers = await Promise.all(nodes.map((node) => certificate(node, productId)));
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
      expect(new Set(answers.map(({ etag }) => etag)).size).toBe(1);
      expect(JSON.parse(answers[0]?.body ?? '')).toHaveProperty('proof.jwt');
      const rows = await first.database.query('select id from proofs where subject_id = $1', [productId]);
      expect(rows).toHaveLength(1);
    }
  });

  it('show a change at once on the node that made it, and within 1 s on the other', async () => {
    const productId = await addProduct('changing');
    await certificate(second, productId);
    for (const visible of [false, true, false, true, false]) {
      await first.operate('PATCH', `/api/v1/registry/products/${productId}`, { visible });
      const changed = performance.now();
      expect('proof' in JSON.parse((await certificate(first, productId)).body)).toBe(visible);
      // a request one second later gets the change, however long the response takes
      for (let asked = changed; ; asked = performance.now()) {
        if ('proof' in JSON.parse((await certificate(second, productId)).body) === visible) break;
        expect(asked - changed).toBeLessThan(1_000);
      }
    }
  });

  it('never serve outdated data when the second receives no changes: it reads the database again', async () => {
    const productId = await addProduct('unheard');
    await certificate(second, productId);
    const listeners = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'touchstone listener' and datname = current_database()`;
    await first.database.query(listeners);
    await first.operate('PATCH', `/api/v1/registry/merchants/${merchantId}`, { paused: true });
    try {
      for (const node of [first, second]) {
        expect(JSON.parse((await certificate(node, productId)).body)).not.toHaveProperty('proof');
      }
    } finally {
      await first.operate('PATCH', `/api/v1/registry/merchants/${merchantId}`, { paused: false });
    }
  });

  it('have the same keys', async () => {
    const [a, b] = await Promise.all(
      [first, second].map(async ({ url }) => (await fetch(`${url}/api/v1/.well-known/jwks.json`)).text()),
    );
    expect(a).toBe(b);
  });
});

describe('a node whose clock is ahead', () => {
  /** Ten minutes ahead of the others and the database. */
  let ahead: RunningService;
  beforeAll(async () => {
    ahead = await startService(config, { clock: () => new Date(Date.now() + 10 * MINUTE) });
  });
  afterAll(() => ahead?.close());

  const readiness = async ({ url }: { url: string }) => {
    const response = await fetch(`${url}/readyz`);
    return { status: response.status, text: await response.text() };
  };

  it('reports it, so that load balancers send it nothing; the others are ready', async () => {
    const told = await readiness(ahead);
    expect(told.status).toBe(503);
    expect(told.text).toMatch(/clock of this node is (599|600) s away/);
    expect((await readiness(first)).status).toBe(200);
  });

  it('has its proofs replaced by the others once, and uses theirs', async () => {
    const productId = await addProduct('dated');
    const dated = async (node: { url: string }) => {
      const { jwt } = JSON.parse((await certificate(node, productId)).body).proof as { jwt: string };
      return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).iat * 1_000;
    };
    expect(await dated(ahead)).toBeGreaterThan(Date.now() + 9 * MINUTE);
    expect(await dated(first)).toBeLessThanOrEqual(Date.now());
    const served = await certificate(first, productId);
    // a change of the product invalidates its cache
    await first.operate('PATCH', `/api/v1/registry/products/${productId}`, { visible: false });
    await first.operate('PATCH', `/api/v1/registry/products/${productId}`, { visible: true });
    for (const node of [second, first, ahead, second, ahead]) {
      await expect.poll(async () => (await certificate(node, productId)).body).toBe(served.body);
    }
    const rows = await first.database.query('select id from proofs where subject_id = $1', [productId]);
    expect(rows).toHaveLength(2);
  });

  it('replays what another answered under an idempotency key, instead of running it again', async () => {
    const create = ({ url }: { url: string }) =>
      fetch(`${url}/api/v1/registry/merchants`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${first.operatorKey}`,
          'content-type': 'application/json',
          'idempotency-key': 'of-two-clocks',
        },
        body: JSON.stringify({ name: 'once', planCapacity: 1 }),
      });
    const answers = await Promise.all(
      [first, ahead, second].map(async (node) => (await create(node)).status),
    );
    // the second request was told that it is in progress, or got the response
    expect(answers.toSorted()[0]).toBe(201);
    expect(answers.filter((status) => ![201, 409].includes(status))).toEqual([]);
    expect((await create(ahead)).status).toBe(201);
    expect(await first.database.query("select id from merchants where name = 'once'")).toHaveLength(1);
  });

  it('considers no other node dead, and is not considered dead', async () => {
    // told by the overview of the operator
    if (!hasPart('console')) return;
    for (const { url } of [first, ahead]) {
      const response = await fetch(`${url}/api/v1/registry/operator/overview`, {
        headers: { authorization: `Bearer ${first.operatorKey}` },
      });
      const { nodes } = (await response.json()) as { nodes: { state: string }[] };
      expect(nodes.map(({ state }) => state).filter((state) => state === 'silent')).toEqual([]);
      expect(nodes.length).toBeGreaterThan(1);
    }
  });
});
