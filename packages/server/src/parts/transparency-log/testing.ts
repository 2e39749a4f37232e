import {
  createTree,
  decodeEntries,
  encodeTilePath,
  leafHash,
  newTiles,
  type Policy,
  type ProofLeaf,
  parseLeaf,
  parsePolicy,
} from '@touchstone/certificate/log';
import type { TestService } from '../../testing.ts';
import { readCheckpoint } from './checkpoints.ts';
import { sha256 } from './sha256.ts';

/** The policy that a node publishes. */
export async function fetchPolicy({ url }: Pick<TestService, 'url'>): Promise<Policy> {
  const policy = await parsePolicy(await (await fetch(`${url}/api/v1/mc4p/log/policy`)).text());
  if ('fault' in policy) throw new Error(`the policy has a fault: ${policy.fault}`);
  return policy;
}

export interface ReadLog {
  readonly size: number;
  readonly root: string;
  readonly leaves: readonly ProofLeaf[];
}

/**
 * Reads a whole log from one node as an auditor does, without trusting it: its checkpoint is signed, each leaf is a leaf, every tile and
 * bundle of its size is there and is what the leaves make it, and the root is that of the checkpoint.
 */
export async function readLog(service: Pick<TestService, 'url'>, year: number): Promise<ReadLog> {
  const get = async (path: string) => {
    const response = await fetch(`${service.url}/api/v1/mc4p/log/${year}/${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const { logs } = await fetchPolicy(service);
  const log = logs.find(({ key }) => key.name.endsWith(`/log/${year}`));
  if (log === undefined) throw new Error(`the policy has no log of ${year}`);
  return auditLog(get, log.key);
}

/** The same from files, or from anywhere. */
export async function auditLog(
  get: (path: string) => Promise<Uint8Array>,
  key: Policy['logs'][number]['key'],
): Promise<ReadLog> {
  const checkpoint = await readCheckpoint(
    Buffer.from(await get('checkpoint')).toString('utf8'),
    key.name,
    key,
  );
  if (checkpoint === null) throw new Error('the checkpoint is not signed by the log');
  const { size, root } = checkpoint;
  const tree = createTree(sha256);
  const made = new Map<string, Uint8Array>();
  const leaves: ProofLeaf[] = [];
  const tiles = newTiles(0, size);
  for (const { n, width } of tiles.filter(({ level }) => level === 0)) {
    const entries = decodeEntries(await get(encodeTilePath({ level: 'entries', n, width })));
    if (entries?.length !== width) throw new Error(`bundle ${n} has not ${width} entries`);
    for (const entry of entries) {
      const leaf = parseLeaf(entry);
      if (leaf === null) throw new Error(`no leaf: ${Buffer.from(entry).toString('utf8')}`);
      leaves.push(leaf);
      for (const tile of tree.append(leafHash(new Uint8Array(entry), sha256)))
        made.set(encodeTilePath(tile), tile.bytes);
    }
  }
  for (const tile of tree.partialTiles()) made.set(encodeTilePath(tile), tile.bytes);
  for (const tile of tiles) {
    const path = encodeTilePath(tile);
    if (Buffer.compare(await get(path), made.get(path) ?? new Uint8Array()) !== 0)
      throw new Error(`${path} is not what the leaves make it`);
  }
  if (Buffer.compare(tree.root(), root) !== 0)
    throw new Error('the checkpoint has another root than its leaves');
  return { size, root: Buffer.from(root).toString('hex'), leaves };
}
