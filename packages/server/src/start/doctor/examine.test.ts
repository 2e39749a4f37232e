import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { httpServer } from '../../../../../test/kit/servers.ts';
import { developmentChain } from '../../core/images/development-chain.ts';
import { readConfig } from '../../parts.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import type { Settings } from '../../platform/settings/config.ts';
import { databaseUrl, testService } from '../../testing.ts';
import { examineAddress } from './address.ts';
import { examineDatabase } from './database.ts';
import { examineService } from './examine.ts';
import { examineBackup, examineSecrets, examineTrust } from './files.ts';
import type { Finding } from './finding.ts';

const DAY = 86_400_000;
const NOW = new Date('2026-11-22T10:00:00Z');
const folder = useFolder('doctor');

const configOf = (settings: Settings = {}) => readConfig({ TOUCHSTONE_DATA_DIR: folder, ...settings });
const states = (found: readonly Finding[]) => found.map(({ about, state }) => `${about}: ${state}`);
const faults = (findings: readonly Finding[]) =>
  findings.filter(({ state }) => state === 'fault').map(({ found }) => found);

async function all(settings: Settings): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const one of examineService({ settings, clock: () => new Date() })) found.push(one);
  return found;
}

test('settings that cannot be used are all told, and nothing else is examined', async () => {
  const found = await all({ TOUCHSTONE_PORT: 'x', TOUCHSTONE_LOG_LEVEL: 'loud' });
  expect(states(found)).toEqual(['settings: fault', 'settings: fault']);
  expect(faults(found).join()).toMatch(/TOUCHSTONE_PORT.*TOUCHSTONE_LOG_LEVEL/);
});

describe('a running service', () => {
  test('has no fault; what it lacks in production is told', async () => {
    const service = await testService();
    try {
      const found = await all({
        TOUCHSTONE_DATA_DIR: service.dataDir,
        TOUCHSTONE_PORT: new URL(service.url).port,
        TOUCHSTONE_OPERATOR_KEY: service.operatorKey ?? '',
        TOUCHSTONE_DATABASE_URL: databaseUrl(service.database),
      });
      expect(faults(found)).toEqual([]);
      expect(found.map((one) => one.found).join(' ')).toMatch(
        /Notifications arrive.*is ready.*used for 0 days; 2 standby keys.*leads to this service/,
      );
      const wanting = found.flatMap(({ about, state }) => (state === 'warning' ? about : []));
      expect(wanting).toEqual(expect.arrayContaining(['write-ahead log', 'trust lists', 'image signer']));
      expect(found.at(-1)).toMatchObject({ about: 'backups', state: 'unknown' });
    } finally {
      await service.dispose();
    }
  });

  test('that does not answer is a fault, and so is a public address that leads elsewhere', async () => {
    const elsewhere = await httpServer((_, response) => response.end('{"keys":[]}'));
    try {
      const found = await examineAddress(
        configOf({ TOUCHSTONE_BASE_URL: elsewhere.url, TOUCHSTONE_PORT: '1' }),
        () => new Date(),
      );
      expect(faults(found)).toEqual([]);
      const other = await httpServer((_, response) => response.end('{"keys":[1]}'));
      const both = configOf({ TOUCHSTONE_BASE_URL: elsewhere.url, TOUCHSTONE_PORT: String(other.port) });
      expect(faults(await examineAddress(both, () => new Date())).join()).toContain('other keys');
      await other.close();
    } finally {
      await elsewhere.close();
    }
    const away = await all({
      TOUCHSTONE_DATA_DIR: folder,
      TOUCHSTONE_PORT: '1',
      TOUCHSTONE_BASE_URL: 'https://name.invalid',
    });
    expect(faults(away).join()).toMatch(/does not answer.*name.invalid has no address/);
    for (const { state, remedy } of away) if (state === 'fault') expect(remedy).toMatch(/^[A-Z].*\.$/);
  });
});

describe('the database of the operator', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database?.close());
  const examine = (settings: Settings, clock = () => new Date()) =>
    examineDatabase(configOf({ TOUCHSTONE_DATABASE_URL: databaseUrl(database), ...settings }), clock);

  test('has a fault if it cannot be reached, has too few connections, or another clock', async () => {
    expect(faults(await examine({ TOUCHSTONE_DATABASE_URL: 'postgres://127.0.0.1:1/x' })).join()).toContain(
      'ECONNREFUSED',
    );
    expect(faults(await examine({ TOUCHSTONE_DATABASE_CONNECTIONS: '500' })).join()).toContain(
      'this node needs',
    );
    const late = await examine({}, () => new Date(Date.now() + 31_000));
    expect(faults(late).join()).toMatch(/clock of this machine is (30|31)/);
  });
});

describe('files', () => {
  test('that hold secrets and that others may read are faults', async () => {
    const key = join(folder, 'operator.key');
    await writeFile(key, 'x', { mode: 0o600 });
    expect(states(await examineSecrets(configOf()))).toEqual(['secrets: ok']);
    await chmod(key, 0o644);
    expect(await examineSecrets(configOf())).toMatchObject([
      { state: 'fault', remedy: `Run "chmod 600 ${key}".` },
    ]);
  });

  test('that hold authorities or the signer of images are told before they expire', async () => {
    const { certificateChainPem, privateKeyPem } = await developmentChain(NOW);
    await mkdir(join(folder, 'trust'), { recursive: true });
    const file = join(folder, 'trust', 'signers.pem');
    await writeFile(file, `# Name: Authorities\n# Date: 2026-11-01\n${certificateChainPem}`);
    const certFile = join(folder, 'c2pa.pem');
    const keyFile = join(folder, 'c2pa.key');
    await writeFile(certFile, certificateChainPem);
    await writeFile(keyFile, privateKeyPem, { mode: 0o600 });
    const config = configOf({ TOUCHSTONE_C2PA_CERT_FILE: certFile, TOUCHSTONE_C2PA_KEY_FILE: keyFile });
    expect(states(await examineTrust(config, NOW))).toEqual(['trust lists: ok', 'image signer: ok']);
    expect(states(await examineTrust(config, new Date(NOW.getTime() + 181 * DAY)))[0]).toBe(
      'trust lists: warning',
    );
    const years = new Date(NOW.getTime() + 4_000 * DAY);
    expect(states(await examineTrust(config, years))).toEqual(['trust lists: fault', 'image signer: fault']);
  });

  test('of backups are as old as the newest', async () => {
    const backups = join(folder, 'backups');
    await mkdir(backups);
    expect((await examineBackup(backups, NOW)).state).toBe('fault');
    await writeFile(join(backups, 'a.dump'), '');
    const made = Date.now();
    expect((await examineBackup(backups, new Date(made))).state).toBe('ok');
    expect(await examineBackup(backups, new Date(made + 3 * DAY))).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('days old'),
    });
    expect((await examineBackup(undefined, NOW)).state).toBe('unknown');
  });
});
