import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnServe, untilReady } from '../kit/serve-process.ts';
import { freePort } from '../kit/servers.ts';
import { query } from './support/patroni-cluster.ts';
import { account, missingPackages, POSTGRES_BIN } from './support/programs.ts';

/*
 * `npm run drill:restore`: a store is deleted, and the database is restored by pgBackRest to the second before. It needs Debian's packages
 * pgbackrest and postgresql-15.
 */
const missing = missingPackages(['pgbackrest', 'postgresql-15']);
if (missing.length > 0) throw new Error(`install ${missing.join(', ')}`);

const PRODUCTS = 2_000;
const PASSWORD = 'of-the-drill';
const folder = mkdtempSync(join(tmpdir(), 'touchstone-restore-'));
const { uid, gid } = account();
const own = (path: string) => {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
};
own(folder);
const [port, data, config] = [await freePort(), join(folder, 'data'), join(folder, 'pgbackrest.conf')];
const asOwner = (command: string, ...args: string[]) =>
  execFileSync(command, args, { uid, gid, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
const backrest = (...args: string[]) =>
  asOwner('pgbackrest', `--config=${config}`, '--stanza=touchstone', ...args);
const startPostgres = () =>
  asOwner(join(POSTGRES_BIN, 'pg_ctl'), '-D', data, '-w', '-l', join(folder, 'log'), 'start');
const stopPostgres = () => asOwner(join(POSTGRES_BIN, 'pg_ctl'), '-D', data, '-w', '-m', 'fast', 'stop');

for (const name of ['repository', 'spool', 'socket']) {
  mkdirSync(join(folder, name));
  own(join(folder, name));
}
writeFileSync(
  config,
  `[global]
repo1-path=${folder}/repository
log-path=${folder}
lock-path=${folder}/spool
spool-path=${folder}/spool
start-fast=y
[touchstone]
pg1-path=${data}
pg1-port=${port}
pg1-socket-path=${folder}/socket
`,
);
writeFileSync(join(folder, 'password'), PASSWORD);
asOwner(
  join(POSTGRES_BIN, 'initdb'),
  `--pgdata=${data}`,
  '--username=postgres',
  '--auth-host=scram-sha-256',
  '--auth-local=trust',
  '--encoding=UTF8',
  `--pwfile=${join(folder, 'password')}`,
);
appendFileSync(
  join(data, 'postgresql.conf'),
  `port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '${folder}/socket'
archive_mode = on
archive_command = 'pgbackrest --config=${config} --stanza=touchstone archive-push %p'
`,
);
let isRunning = false;
try {
  startPostgres();
  isRunning = true;
  await query(port, `create role touchstone login password '${PASSWORD}'`);
  await query(port, 'create database touchstone owner touchstone');
  backrest('stanza-create', '--pg1-user=postgres');
  const serve = async () => {
    const service = spawnServe({
      port: await freePort(),
      dataDir: join(folder, 'node'),
      env: {
        TOUCHSTONE_DATABASE_URL: `postgres://touchstone:${PASSWORD}@127.0.0.1:${port}/touchstone`,
        TOUCHSTONE_MASTER_KEY_FILE: join(folder, 'master.key'),
        TOUCHSTONE_BASE_URL: 'https://certificates.example',
        TOUCHSTONE_IMAGE_CONCURRENT: '0',
      },
    });
    await untilReady(service);
    return service;
  };
  writeFileSync(join(folder, 'master.key'), randomBytes(32).toString('hex'), { mode: 0o600 });
  let service = await serve();
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${service.url}/api/v1/registry${path}`, {
      method,
      headers: { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = response.status === 204 ? null : await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer as { id: string; results: { id: string }[] };
  };
  const merchant = await call('POST', '/merchants', { name: 'M', planCapacity: PRODUCTS });
  const shop = { merchantId: merchant.id, name: 'S', url: 'https://shop.example' };
  const store = await call('POST', '/stores', shop);
  backrest('backup', '--type=full', '--pg1-user=postgres');
  let last = '';
  for (let from = 0; from < PRODUCTS; from += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      externalProductId: `p${from + index}`,
      name: `Product ${from + index}`,
      url: `https://shop.example/p/${from + index}`,
    }));
    const { results } = await call('PUT', `/stores/${store.id}/products`, rows);
    last = results.at(-1)?.id ?? '';
  }
  const path = `/api/v1/mc4p/products/${last}/certificate`;
  const before = await (await fetch(service.url + path)).text();
  await delay(1_000);
  const { rows } = await query(port, 'select now()::text as at');
  await delay(1_000);
  await call('DELETE', `/stores/${store.id}`);
  // the deletion is archived, too
  await query(port, 'select pg_switch_wal()');
  console.info(
    `store with ${PRODUCTS} products deleted after ${rows[0].at}: ${(await fetch(service.url + path)).status}`,
  );

  const begun = performance.now();
  await service.stop();
  stopPostgres();
  isRunning = false;
  backrest('restore', '--delta', '--type=time', `--target=${rows[0].at}`, '--target-action=promote');
  startPostgres();
  isRunning = true;
  while ((await query(port, 'select pg_is_in_recovery() as is')).rows[0].is === true) await delay(100);
  service = await serve();
  const after = await (await fetch(service.url + path)).text();
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const { rows: left } = await query(
    port,
    'select count(*)::int as count from products where deleted_at is null',
    'touchstone',
  );
  console.info(`restored in ${seconds} s: ${left[0].count} products; same certificate: ${before === after}`);
  await service.stop();
  if (before !== after || left[0].count !== PRODUCTS) process.exitCode = 1;
} finally {
  if (isRunning) stopPostgres();
  if (process.env.TOUCHSTONE_KEEP === undefined) rmSync(folder, { recursive: true, force: true });
}
