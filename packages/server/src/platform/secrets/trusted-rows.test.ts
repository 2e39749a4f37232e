import { createHash } from 'node:crypto';
import { createTestIssuer } from '@touchstone/certificate/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSnapshotLoader } from '../../core/certificates/load-snapshot.ts';
import { openProofKeys, type SigningKeys } from '../../core/keys/open-proof-keys.ts';
import { authenticate, createApiKey } from '../../core/registry/api-keys/api-keys.ts';
import { type TestRegistry, testRegistry, testShop } from '../../core/registry/testing.ts';
import { findSession } from '../../parts/console/sessions/find-session.ts';
import { beginSession } from '../../parts/console/sessions/sessions.ts';
import { type TestService, testService } from '../../testing.ts';
import { announce } from '../cache/announce.ts';
import type { OpenDatabase } from '../database/database.ts';
import { provenOwner, writeOwner } from '../database/hostname-owners.ts';
import { TRUSTED_TABLES, type TrustedTableName } from '../database/trusted-rows.ts';

const NAMES = Object.keys(TRUSTED_TABLES) as TrustedTableName[];

/** What a writer sets each covered column to: another value that the table accepts. */
const CHANGES: {
  [Name in TrustedTableName]: Record<(typeof TRUSTED_TABLES)[Name]['covered'][number], string>;
} = {
  signing_keys: {
    kid: `'another'`,
    purpose: `'requests'`,
    public_jwk: `public_jwk || '{"n": "AQAB"}'`,
    published_at: `published_at - interval '2 days'`,
    active_from: `active_from - interval '1 second'`,
    retired_at: `now()`,
    revoked_at: `now()`,
  },
  hostname_owners: {
    hostname: `'other.example'`,
    merchant_id: `(select id from merchants where name = 'Merchant of other.example')`,
    method: `'meta_tag'`,
    proven_at: `proven_at + interval '1 hour'`,
    confirmed_at: `confirmed_at + interval '1 hour'`,
    missed_since: `now()`,
  },
  api_keys: {
    id: `gen_random_uuid()`,
    merchant_id: `(select id from merchants where name = 'Merchant of other.example')`,
    role: `'operator', merchant_id = null`,
    key_hash: `'\\x00'`,
    revoked_at: `now()`,
  },
  console_sessions: {
    token_hash: `'\\x00'`,
    key_id: `(select id from api_keys where label = 'another')`,
    begun_at: `begun_at + interval '1 hour'`,
    seen_at: `seen_at + interval '1 hour'`,
  },
};

test('each column of a table that grants trust is covered by the MAC, or listed with the reason why not', async () => {
  const registry = await testRegistry();
  try {
    for (const name of NAMES) {
      const { covered, uncovered } = TRUSTED_TABLES[name];
      const columns = await registry.database.query<{ column_name: string }>(
        'select column_name from information_schema.columns where table_schema = $1 and table_name = $2',
        ['public', name],
      );
      const listed = [...covered, ...Object.keys(uncovered), 'mac'];
      expect(columns.map(({ column_name }) => column_name).toSorted(), name).toEqual(listed.toSorted());
    }
  } finally {
    await registry.close();
  }
});

describe('a row that somebody else has changed is not used:', () => {
  let registry: TestRegistry;
  let keys: SigningKeys;
  let productId: string;
  let apiKey: string;
  let session: string;
  const where: Partial<Record<TrustedTableName, string>> = {};

  let writer: OpenDatabase['pool'];
  const write = async (sql: string, values: unknown[] = []) => (await writer.query(sql, values)).rows;

  /** Whether the service uses the row as it is now. */
  const USES: Record<TrustedTableName, () => Promise<boolean>> = {
    signing_keys: async () => (await keys.published()).keys.length === 3,
    hostname_owners: async () => {
      const loaded = await createSnapshotLoader(registry.db, registry.secrets.rows).product(productId);
      return loaded?.domains.some(({ verified }) => verified) ?? false;
    },
    api_keys: async () => (await authenticate(registry, apiKey)) !== null,
    console_sessions: async () => (await findSession(registry, session)) !== null,
  };

  beforeAll(async () => {
    registry = await testRegistry();
    writer = registry.database.open({ max: 1 }).pool;
    // a writer can disable foreign keys
    await write('set session_replication_role = replica');
    const { db, clock, secrets } = registry;
    const shop = await testShop(registry);
    await testShop(registry, 'other.example');
    const [product] = await shop.put(shop.row('cup'));
    productId = product?.id ?? '';
    keys = await openProofKeys({ db, clock, secrets });
    const owner = { hostname: shop.host, merchant_id: shop.merchantId, method: 'dns_txt' } as const;
    await writeOwner(db, secrets.rows, provenOwner(owner, clock()), clock());
    apiKey = (await createApiKey(registry, 'all', shop.merchantId, 'own')).key;
    await createApiKey(registry, 'all', shop.merchantId, 'another');
    session = (await beginSession(registry, { apiKey, caller: 'c', former: undefined })).token;
    for (const name of NAMES) {
      const only =
        name === 'api_keys'
          ? `where label = 'own'`
          : name === 'signing_keys'
            ? 'where active_from is not null'
            : '';
      const [row] = await registry.database.query<{ mac: Buffer }>(`select mac from ${name} ${only}`);
      where[name] = `mac = '\\x${row?.mac.toString('hex')}'`;
    }
  });
  afterAll(() => registry?.close());

  const cases = NAMES.flatMap((name) =>
    Object.entries(CHANGES[name]).map(([column, value]) => [name, column, value] as const),
  );
  test.for(cases)('%s.%s', async ([name, column, value]) => {
    expect(await USES[name](), 'before').toBe(true);
    const [former] = await write(`select * from ${name} where ${where[name]}`);
    await write(`update ${name} set ${column} = ${value} where ${where[name]}`);
    expect(await USES[name](), 'changed').toBe(false);
    const columns = Object.keys(former ?? {});
    await write(
      `update ${name} set ${columns.map((one, at) => `${one} = $${at + 1}`).join(', ')} where ${where[name]}`,
      columns.map((one) => former?.[one]),
    );
    expect(await USES[name](), 'changed back').toBe(true);
  });
});

describe('a service whose database somebody else writes to', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService();
  });
  afterAll(() => service?.dispose());

  const jwks = async () => {
    const { keys } = (await (await fetch(`${service.url}/api/v1/.well-known/jwks.json`)).json()) as {
      keys: { kid: string }[];
    };
    return keys.map(({ kid }) => kid);
  };

  test('publishes no foreign key, neither without a MAC nor with that of another row, and reports each once', async () => {
    const genuine = await jwks();
    const [foreign, copying] = await Promise.all([createTestIssuer('foreign'), createTestIssuer('copying')]);
    for (const [{ kid, jwks: set }, mac] of [
      [foreign, 'null'],
      [copying, '(select min(mac) from signing_keys)'],
    ] as const) {
      await service.database.query(
        `insert into signing_keys (kid, public_jwk, published_at, active_from, retired_at, mac)
         values ($1, $2, now(), now(), now(), ${mac})`,
        [kid, JSON.stringify(set.keys[0])],
      );
      await announce(service.database.db, [`k:${kid}`]);
    }
    const reported = () => service.log.filter((line) => line.includes('a row that grants trust is not used'));
    await expect.poll(async () => [await jwks(), reported().length].at(1)).toBe(2);
    for (let again = 0; again < 3; again += 1) {
      await announce(service.database.db, ['k:foreign']);
      expect(await jwks()).toEqual(genuine);
    }
    expect(
      reported()
        .map((line) => JSON.parse(line))
        .map(({ table, id, mac }) => [table, id, mac]),
    ).toEqual(
      expect.arrayContaining([
        ['signing_keys', foreign.kid, 'missing'],
        ['signing_keys', copying.kid, 'invalid'],
      ]),
    );
    expect(reported()).toHaveLength(2);
    expect(await (await fetch(`${service.url}/metrics`)).text()).toContain(
      'touchstone_refused_rows{table="signing_keys"} 2',
    );
    expect(await (await fetch(`${service.url}/readyz`)).json()).toMatchObject({
      status: 'ready',
      findings: 1,
    });
  });

  test('does not start where no row has a MAC, unless the operator vouches for them on that day; then all still works', async () => {
    const own = `label = 'from the settings'`;
    const key = service.operatorKey ?? '';
    await service.database.query(`delete from signing_keys where kid in ('foreign', 'copying')`);
    const genuine = await jwks();
    const merchant = (await service.operate('POST', '/api/v1/registry/merchants', {
      name: 'M',
      planCapacity: 1,
    })) as { id: string };
    const hook = 'https://hooks.example/before';
    await service.database.query(
      `insert into webhooks (id, merchant_id, url, events, secret, created_at)
       values ($1, $1, '\\x00'::bytea || convert_to($2, 'UTF8'), '{}', '', now())`,
      [merchant.id, hook],
    );
    for (const name of NAMES) await service.database.query(`update ${name} set mac = null`);
    await service.database.query(`update api_keys set key_hash = $1 where ${own}`, [
      createHash('sha256').update(key).digest(),
    ]);
    const today = new Date().toISOString().slice(0, 10);
    await expect(service.restart()).rejects.toThrow(`TOUCHSTONE_SEAL_ROWS=${today}`);
    await expect(service.restart({ TOUCHSTONE_SEAL_ROWS: '2026-01-01' })).rejects.toThrow(/not sealed/);
    service = await service.restart({ TOUCHSTONE_SEAL_ROWS: today });
    expect(await jwks()).toEqual(genuine);
    expect(service.log.filter((line) => line.includes('rows were sealed'))).not.toEqual([]);
    service = await service.restart();
    expect(await service.operate('GET', '/api/v1/registry/merchants')).toMatchObject({
      merchants: [{ id: merchant.id }],
    });
    expect(await service.operate('GET', '/api/v1/registry/webhooks')).toMatchObject({
      webhooks: [{ url: hook }],
    });
    expect(
      await service.database.query(`select from api_keys where ${own} and revoked_at is null`),
    ).toHaveLength(1);
  });
});
