import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Random, seeded } from '../../kit/random.ts';
import { type ServeProcess, spawnServe, untilReady } from '../../kit/serve-process.ts';
import { freePort } from '../../kit/servers.ts';
import { type Cluster, type Machine, startCluster } from './patroni-cluster.ts';
import { startTraffic, type Traffic } from './traffic.ts';

/** What is done to the cluster: `misroute` has the route lead to a standby, too. */
export const STRIKES = ['switchover', 'kill', 'crash', 'freeze', 'misroute'] as const;
export type Strike = (typeof STRIKES)[number];

export interface Failover {
  readonly strike: Strike;
  /** Milliseconds without an answer to warm requests, at worst. */
  readonly warm: number;
  /** Milliseconds until there was a leader; 0 where there was one all the time. */
  readonly leader: number;
  /** Milliseconds from then until every node had acknowledged a write. */
  readonly writes: number;
}

export interface FailoverReport {
  readonly failovers: readonly Failover[];
  readonly counts: Traffic['counts'];
  readonly stale: readonly string[];
  readonly lost: readonly string[];
}

export interface FailoverOptions {
  readonly strikes: readonly Strike[];
  readonly machines: number;
  readonly seed: number;
  readonly onFailover?: (failover: Failover) => void;
}

/** Strikes a cluster again and again while two nodes of the service write and answer. */
export async function runFailovers(options: FailoverOptions): Promise<FailoverReport> {
  const random = seeded(options.seed);
  const cluster = await startCluster(options.machines);
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-drill-nodes-'));
  const nodes: ServeProcess[] = [];
  writeFileSync(join(folder, 'master.key'), randomBytes(32).toString('hex'), { mode: 0o600 });
  try {
    for (const name of ['a', 'b']) {
      const env = nodeSettings(cluster.url, folder);
      nodes.push(spawnServe({ port: await freePort(), dataDir: join(folder, name), env }));
      for (const node of nodes) await untilReady(node);
    }
    const traffic = await startTraffic(nodes, 400 + 60 * options.strikes.length);
    const failovers: Failover[] = [];
    for (const strike of options.strikes) {
      const failover = await strikeOnce(cluster, traffic, nodes, strike, random);
      failovers.push(failover);
      options.onFailover?.(failover);
    }
    await traffic.stop();
    return { failovers, counts: traffic.counts, stale: traffic.stale, lost: await traffic.lost() };
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function nodeSettings(url: string, folder: string): Record<string, string> {
  return {
    TOUCHSTONE_DATABASE_URL: url,
    TOUCHSTONE_BASE_URL: 'https://certificates.example',
    TOUCHSTONE_MASTER_KEY_FILE: join(folder, 'master.key'),
    TOUCHSTONE_BLOBS: join(folder, 'blobs'),
    TOUCHSTONE_IMAGE_CONCURRENT: '0',
    TOUCHSTONE_WITHOUT: 'sources,shopify,nft,sweeps,webhooks,console,pages',
  };
}

async function strikeOnce(
  cluster: Cluster,
  traffic: Traffic,
  nodes: readonly ServeProcess[],
  strike: Strike,
  random: Random,
): Promise<Failover> {
  const leader = await cluster.whole();
  // in the middle of anything
  await delay(500 + random.integer(1_000));
  const outage = await traffic.measure();
  const struck = performance.now();
  if (strike === 'misroute') {
    await misroute(cluster, leader);
    return { strike, warm: Math.round(outage.warm), leader: 0, writes: 0 };
  }
  if (strike === 'switchover') await cluster.switchOver(leader);
  else cluster[strike](leader);
  const led = await nextLeader(cluster, leader);
  outage.firstWrite.clear();
  while (outage.firstWrite.size < nodes.length) {
    if (performance.now() - led > 60_000) throw new Error(`no writes for a minute after a ${strike}`);
    await delay(20);
  }
  const writes = Math.max(...outage.firstWrite.values()) - led;
  // its watchdog resets a machine that was frozen: Patroni before 3.0.3 would take the lock of the leader back, and lose what that wrote
  if (strike === 'freeze') cluster.crash(leader);
  if (strike === 'freeze' || strike === 'crash') cluster.start(leader);
  await cluster.whole();
  return {
    strike,
    warm: Math.round(outage.warm),
    leader: Math.round(led - struck),
    writes: Math.round(writes),
  };
}

/** @returns when another machine leads */
async function nextLeader(cluster: Cluster, former: Machine): Promise<number> {
  for (const begun = performance.now(); performance.now() - begun < 120_000; await delay(50)) {
    const leader = await cluster.leader();
    if (leader !== undefined && leader !== former) return performance.now();
  }
  throw new Error('no other machine became the leader');
}

/** The route leads to the primary and to a standby alternately, and connections are made anew all the time. */
async function misroute(cluster: Cluster, leader: Machine): Promise<void> {
  const standby = cluster.machines.find((machine) => machine !== leader) ?? leader;
  await cluster.force(standby, true);
  for (let cut = 0; cut < 10; cut += 1) {
    await cluster.cut(cut % 2 === 0 ? leader : standby);
    await delay(500);
  }
  await cluster.force(standby, false);
  await delay(1_500);
}
