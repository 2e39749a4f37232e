import { createHash, randomBytes } from 'node:crypto';
import { createKeySet } from '@touchstone/certificate';
import { calculateJwkThumbprint } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { createDatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { readSigningKeys } from './key-store.ts';
import { MasterKeyError } from './master-key.ts';
import { openProofKeys, type ProofKeysOptions, type SigningKeys } from './open-proof-keys.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

let database: TestDatabase;
let now: Date;
const secrets = createDatabaseSecrets(randomBytes(32));

beforeEach(async () => {
  database = await testDatabase();
  now = new Date(START);
});
afterEach(() => database.close());

const node = (options: Partial<ProofKeysOptions> = {}) =>
  openProofKeys({
    db: database.open().db,
    clock: () => now,
    secrets,
    ...options,
  });

const published = async (keys: SigningKeys) => (await keys.published()).keys.map(({ kid }) => kid);

describe('keys on the real database', () => {
  test('the first start creates one signing key and two standbys, all in the JWKS', async () => {
    const service = await node();
    const signer = await service.signer();
    const { keys } = await service.published();
    expect(keys).toHaveLength(3);
    expect(keys.map(({ kid }) => kid)).toContain(signer.kid);
    for (const key of keys) {
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
      expect(Buffer.from(key.n, 'base64url')).toHaveLength(256);
    }
  });

  test('a kid is the RFC 7638 thumbprint of its key', async () => {
    const { keys } = await (await node()).published();
    for (const { kid, n, e } of keys) {
      expect(kid).toBe(await calculateJwkThumbprint({ kty: 'RSA', n, e }));
      const bySpec = createHash('sha256')
        .update(JSON.stringify({ e, kty: 'RSA', n }))
        .digest('base64url');
      expect(kid).toBe(bySpec);
    }
  });

  test('eight nodes that start concurrently agree on one active key and two standbys', async () => {
    const nodes = await Promise.all(Array.from({ length: 8 }, () => node()));
    expect(await readSigningKeys(database.db, secrets.rows)).toHaveLength(3);
    const signers = await Promise.all(nodes.map((keys) => keys.signer()));
    expect(new Set(signers.map(({ kid }) => kid)).size).toBe(1);
  });

  test('private keys are encrypted in the database', async () => {
    await node();
    for (const { sealedPrivateKey } of await readSigningKeys(database.db, secrets.rows)) {
      const bytes = Buffer.from(sealedPrivateKey ?? []);
      expect(bytes.byteLength).toBeGreaterThan(1_000);
      // the DER prefix that every PKCS#8 RSA key carries
      expect(bytes.includes(Buffer.from('06092a864886f70d010101', 'hex'))).toBe(false);
    }
  });

  test('with another master key the start is refused, and says what to supply', async () => {
    await node();
    const refused = node({ secrets: createDatabaseSecrets(randomBytes(32)) });
    await expect(refused).rejects.toThrow(MasterKeyError);
    await expect(refused).rejects.toThrow('TOUCHSTONE_MASTER_KEY_FILE');
  });

  test('at the end of its term the key is replaced by the standby, which was published long before', async () => {
    const service = await node();
    const first = (await service.signer()).kid;
    const standby = (await published(service)).find((kid) => kid !== first);
    now = new Date(START + 90 * DAY - 1);
    await service.rotate();
    expect((await service.signer()).kid).toBe(first);
    now = new Date(START + 90 * DAY);
    await service.rotate();
    expect((await service.signer()).kid).toBe(standby);
    expect(await published(service)).toHaveLength(4);
  });

  test('nodes that rotate concurrently create one new standby and promote one key', async () => {
    const nodes = await Promise.all([node(), node(), node()]);
    now = new Date(START + 90 * DAY);
    await Promise.all(nodes.map((keys) => keys.rotate()));
    const keys = await readSigningKeys(database.db, secrets.rows);
    expect(keys).toHaveLength(4);
    expect(keys.filter(({ retiredAt }) => retiredAt !== undefined)).toHaveLength(1);
  });

  test('the private half of a retired key is deleted once it can have nothing left to sign', async () => {
    const service = await node();
    const first = (await service.signer()).kid;
    now = new Date(START + 90 * DAY);
    await service.rotate();
    now = new Date(START + 98 * DAY);
    await service.rotate();
    const key = (await readSigningKeys(database.db, secrets.rows)).find(({ kid }) => kid === first);
    expect(key?.sealedPrivateKey).toBeUndefined();
    expect(await (await node()).signerOf(first)).toBeNull();
  });

  test('a revoked key leaves the JWKS and is distrusted at once; a standby signs', async () => {
    const service = await node();
    const first = (await service.signer()).kid;
    expect(await service.revoke(first)).toBe(true);
    expect(await published(service)).not.toContain(first);
    expect((await service.trusted()).find(first)).toBe('key_unknown');
    expect(await service.signerOf(first)).toBeNull();
    expect((await service.signer()).kid).not.toBe(first);
    expect(await published(service)).toHaveLength(3);
    expect(await service.revoke(first)).toBe(false);
    expect(await service.revoke('no-such-key')).toBe(false);
  });

  test('when every key is revoked at once, a new key signs', async () => {
    const [one, other] = await Promise.all([node(), node()]);
    const all = await published(one);
    await Promise.all(all.map((kid, index) => (index === 0 ? one : other).revoke(kid)));
    const { kid } = await one.signer();
    expect(all).not.toContain(kid);
    expect((await other.signer()).kid).toBe(kid);
  });

  test('a signature verifies with the published key of its signer and with no other', async () => {
    const service = await node();
    const signer = await service.signer();
    const data = new TextEncoder().encode('header.payload');
    const signature = new Uint8Array(await signer.sign(data));
    const keySet = createKeySet(await service.published());
    const own = keySet.find(signer.kid);
    const other = keySet.find((await published(service)).find((kid) => kid !== signer.kid) ?? '');
    if (typeof own === 'string' || typeof other === 'string') throw new Error('both keys are published');
    for (const verify of [keySet.verify, service.verify]) {
      expect(await verify(own, signature, data)).toBe(true);
      expect(await verify(other, signature, data)).toBe(false);
      expect(await verify(own, signature, new TextEncoder().encode('header.payloaD'))).toBe(false);
    }
  });
});
