import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../kit/servers.ts';
import { account, descendantsOf, POSTGRES_BIN, type Program, run, sendTo } from './programs.ts';

const PASSWORD = 'of-the-drill';
/** Patroni's shortest, in seconds: a machine that dies is replaced after `ttl`. */
const TIMES = { ttl: 20, loop_wait: 1, retry_timeout: 5 };

/** Members of etcd: one dies or freezes with its machine, and two decide. */
const MEMBERS = 3;

/** A member of etcd, and the machine with which it dies: with two machines, the third member is elsewhere. */
interface Member {
  readonly name: string;
  readonly client: number;
  readonly peer: number;
}

/** A machine: Patroni, its PostgreSQL and a member of etcd. */
export interface Machine {
  readonly name: string;
  readonly port: number;
  readonly rest: number;
  readonly data: string;
}

/** PostgreSQL on several machines under Patroni, with one route to the primary; all on loopback. */
export interface Cluster {
  readonly machines: readonly Machine[];
  /** Address of the service's database, by the route to the primary. */
  readonly url: string;
  leader(): Promise<Machine | undefined>;
  /** Waits until the leader has a synchronous standby, and all machines are there. */
  whole(): Promise<Machine>;
  /** The machine dies: Patroni, PostgreSQL and the member of etcd at once. */
  crash(machine: Machine): void;
  /** PostgreSQL alone dies. */
  kill(machine: Machine): void;
  freeze(machine: Machine): void;
  /** Starts a machine that died. */
  start(machine: Machine): void;
  /** Another machine becomes the leader, in an orderly way. */
  switchOver(leader: Machine): Promise<void>;
  /** Has the route lead to a machine whatever it says about itself, or no longer. */
  force(machine: Machine, isForced: boolean): Promise<void>;
  /** Breaks the connections of the route to a machine. */
  cut(machine: Machine): Promise<void>;
  close(): Promise<void>;
}

export async function startCluster(count: number): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-drill-'));
  const { uid, gid } = account();
  const own = (path: string) => {
    if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  };
  own(folder);
  const route = await freePort();
  const members: Member[] = [];
  for (let number = 1; number <= MEMBERS; number += 1)
    members.push({ name: `etcd${number}`, client: await freePort(), peer: await freePort() });
  const machines: Machine[] = [];
  for (let number = 1; number <= count; number += 1) {
    const name = `machine${number}`;
    machines.push({ name, port: await freePort(), rest: await freePort(), data: join(folder, name) });
  }
  const programs = new Map<string, Program>();
  const startMember = (member: Member) => {
    const args = etcdArgs(folder, member, members);
    programs.set(member.name, run('/usr/bin/etcd', args, { folder, name: member.name }));
  };
  const memberOf = (machine: Machine) => members[machines.indexOf(machine)] as Member;
  for (const machine of machines) {
    const file = join(folder, `${machine.name}.json`);
    writeFileSync(file, JSON.stringify(patroniConfig(machine, members, folder)));
    own(file);
  }
  const socket = join(folder, 'haproxy.sock');
  writeFileSync(join(folder, 'haproxy.cfg'), haproxyConfig(machines, route, socket));

  const start = (machine: Machine) => {
    const args = [join(folder, `${machine.name}.json`)];
    programs.set(machine.name, run('/usr/bin/patroni', args, { folder, name: machine.name }));
  };
  const roleOf = async ({ rest }: Machine) => {
    const answer = await fetch(`http://127.0.0.1:${rest}/`, { signal: AbortSignal.timeout(500) }).catch(
      () => null,
    );
    return (await answer?.json().catch(() => null)) as { role?: string; state?: string } | null;
  };
  const leader = async () => {
    const found = await Promise.all(machines.map(({ rest }) => says(rest, 'primary')));
    return machines[found.indexOf(true)];
  };
  const tell = (command: string) => {
    const admin = connect(socket);
    admin.end(`${command}\n`);
    return text(admin);
  };
  const postmasterOf = ({ data }: Machine) =>
    existsSync(join(data, 'postmaster.pid'))
      ? Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10)
      : undefined;
  const signalPostgres = (machine: Machine, signal: NodeJS.Signals) => {
    const postmaster = postmasterOf(machine);
    if (postmaster === undefined) return;
    for (const pid of [postmaster, ...descendantsOf(postmaster)]) sendTo(pid, signal);
  };
  const signalAll = (machine: Machine, signal: NodeJS.Signals) => {
    programs.get(machine.name)?.signal(signal);
    programs.get(memberOf(machine).name)?.signal(signal);
    signalPostgres(machine, signal);
  };

  for (const member of members) startMember(member);
  for (const machine of machines) {
    start(machine);
    // the first one makes the cluster
    await until(leader, 'no leader');
  }
  const haproxy = run('/usr/sbin/haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], {
    folder,
    name: 'haproxy',
  });
  const cluster: Cluster = {
    machines,
    url: `postgres://touchstone:${PASSWORD}@127.0.0.1:${route}/touchstone`,
    leader,
    whole: () =>
      until(async () => {
        const first = await leader();
        const states = await Promise.all(machines.map(roleOf));
        if (first === undefined || states.some((one) => one?.state !== 'running')) return undefined;
        const isSynchronous = async ({ rest }: Machine) => says(rest, 'synchronous');
        const standbys = await Promise.all(machines.map(isSynchronous));
        const streaming = "select count(*)::int as count from pg_stat_replication where state = 'streaming'";
        const { rows } = await query(first.port, streaming).catch(() => ({ rows: [] }));
        return standbys.includes(true) && rows[0]?.count === count - 1 ? first : undefined;
      }, 'the cluster did not become whole'),
    crash: (machine) => signalAll(machine, 'SIGKILL'),
    kill: (machine) => signalPostgres(machine, 'SIGKILL'),
    freeze: (machine) => signalAll(machine, 'SIGSTOP'),
    start(machine) {
      startMember(memberOf(machine));
      start(machine);
    },
    async switchOver({ name, rest }) {
      const answer = await fetch(`http://127.0.0.1:${rest}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: name }),
      });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    },
    async force({ name }, isForced) {
      await tell(
        isForced
          ? `disable health primary/${name}; set server primary/${name} health up`
          : `enable health primary/${name}`,
      );
    },
    async cut({ name }) {
      await tell(`shutdown sessions server primary/${name}`);
    },
    async close() {
      for (const machine of machines) signalAll(machine, 'SIGCONT');
      await Promise.all([...programs.values()].map((program) => program.stop()));
      for (const machine of machines) signalPostgres(machine, 'SIGKILL');
      await haproxy.stop();
      if (process.env.TOUCHSTONE_KEEP === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    const first = await cluster.whole();
    await query(first.port, `create role touchstone login password '${PASSWORD}'`);
    await query(first.port, 'create database touchstone owner touchstone');
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster;
}

/** Whether a machine says that it has this role. */
function says(rest: number, role: 'primary' | 'synchronous'): Promise<boolean> {
  const signal = AbortSignal.timeout(500);
  return fetch(`http://127.0.0.1:${rest}/${role}`, { signal }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** One statement by the superuser, past the route. */
export async function query(port: number, sql: string, database = 'postgres') {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: PASSWORD,
    database,
    connectionTimeoutMillis: 2_000,
    query_timeout: 10_000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}

async function until<T>(find: () => Promise<T | undefined>, failure: string): Promise<T> {
  const deadline = performance.now() + 180_000;
  while (performance.now() < deadline) {
    const found = await find();
    if (found !== undefined) return found;
    await delay(100);
  }
  throw new Error(failure);
}

function etcdArgs(folder: string, { name, client, peer }: Member, members: readonly Member[]): string[] {
  const at = (port: number) => `http://127.0.0.1:${port}`;
  return [
    `--name=${name}`,
    `--data-dir=${join(folder, name)}`,
    '--logger=zap',
    // two and a half times the defaults: three members write to one disk
    '--heartbeat-interval=250',
    '--election-timeout=2500',
    `--listen-client-urls=${at(client)}`,
    `--advertise-client-urls=${at(client)}`,
    `--listen-peer-urls=${at(peer)}`,
    `--initial-advertise-peer-urls=${at(peer)}`,
    `--initial-cluster=${members.map((one) => `${one.name}=${at(one.peer)}`).join()}`,
  ];
}

/** Patroni reads YAML, of which JSON is a part. */
function patroniConfig({ name, port, rest, data }: Machine, members: readonly Member[], folder: string) {
  const user = (username: string) => ({ username, password: PASSWORD });
  const sockets = join(folder, `${name}-socket`);
  mkdirSync(sockets, { recursive: true });
  const { uid, gid } = account();
  if (uid !== undefined && gid !== undefined) chownSync(sockets, uid, gid);
  return {
    scope: 'touchstone',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { hosts: members.map(({ client }) => `127.0.0.1:${client}`) },
    bootstrap: {
      dcs: {
        ...TIMES,
        primary_start_timeout: 0,
        synchronous_mode: true,
        failsafe_mode: true,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: { max_connections: 100 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: POSTGRES_BIN,
      pgpass: join(folder, `${name}.pgpass`),
      authentication: {
        superuser: user('postgres'),
        replication: user('replicator'),
        rewind: user('rewinder'),
      },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
      parameters: { unix_socket_directories: sockets, shared_buffers: '64MB' },
    },
  };
}

/** As in the operator guide. */
function haproxyConfig(machines: readonly Machine[], route: number, socket: string): string {
  return [
    'global',
    `  stats socket ${socket} mode 600 level admin`,
    'defaults',
    '  mode tcp',
    // the service tries again by itself
    '  retries 0',
    '  timeout connect 2s',
    '  timeout check 1s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen primary',
    `  bind 127.0.0.1:${route}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...machines.map(({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}`),
    '',
  ].join('\n');
}
