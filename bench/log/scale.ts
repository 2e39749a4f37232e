/**
 * Generates a transparency log, and measures what it takes to keep, to prove and to read: `npm run bench:log -- scale [entries]`, by default a
 * million. It is written as a service serves it: tiles and entry bundles as files. Exits with 1 if the monitor reads less than 100,000 entries
 * a second.
 */

import { spawnSync } from 'node:child_process';
import { hash as cryptoHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  createTree,
  encodeEntries,
  encodeLeaf,
  encodeTilePath,
  formatCheckpoint,
  formatVkey,
  inclusionFromTiles,
  leafHash,
  rootOfInclusion,
  signNote,
  type TileReader,
  vkeyOf,
} from '@touchstone/certificate/log';

const ORIGIN = 'certificates.example/api/v1/mc4p/log/2026';
const SHOPS = 1_000;
const PROOFS = 10_000;
const BIN = join(import.meta.dirname, '../../packages/cli/bin/touchstone.js');

const entries = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'touchstone-log-'));
const log = join(folder, 'log');
let [files, bytes] = [0, 0];

const sha256 = (data: Uint8Array) => new Uint8Array(cryptoHash('sha256', data, 'buffer'));
const seconds = (since: number) => (performance.now() - since) / 1_000;

try {
  await generate();
  await prove();
  process.exitCode = read() ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function write(path: string, data: Uint8Array | string): void {
  const file = join(log, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, data);
  files += 1;
  // as a disk takes it
  bytes += Math.ceil(data.length / 4_096) * 4_096;
}

function leafOf(number: number): Uint8Array {
  const random = cryptoHash('sha256', String(number), 'buffer');
  const iat = Date.UTC(2026, 0, 1) / 1000 + number;
  return encodeLeaf({
    kind: 'product',
    domain: `shop-${random.readUInt32BE(0) % SHOPS}.example`,
    iat,
    exp: iat + 604_800,
    kid: '3a1c5f0b-9d2e-4c1f-8a77-5a4c1f5f0b01',
    proof: random.toString('base64url'),
    subject: cryptoHash('sha256', random, 'buffer').toString('base64url'),
  });
}

/** Writes the log, in the way of a sequencer that publishes one checkpoint. */
async function generate(): Promise<void> {
  const began = performance.now();
  const tree = createTree(sha256);
  let bundle: Uint8Array[] = [];
  const writeBundle = () => {
    const n = Math.floor((tree.size - 1) / 256);
    write(encodeTilePath({ level: 'entries', n, width: bundle.length }), encodeEntries(bundle));
    bundle = [];
  };
  for (let number = 0; number < entries; number++) {
    const leaf = leafOf(number);
    bundle.push(leaf);
    for (const tile of tree.append(leafHash(leaf, sha256))) write(encodeTilePath(tile), tile.bytes);
    if (bundle.length === 256) writeBundle();
  }
  if (bundle.length > 0) writeBundle();
  for (const tile of tree.partialTiles()) write(encodeTilePath(tile), tile.bytes);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const vkey = await vkeyOf(ORIGIN, new Uint8Array(raw));
  const signer = { ...vkey, sign: (data: Uint8Array) => new Uint8Array(sign(null, data, privateKey)) };
  const head = { origin: ORIGIN, size: entries, root: tree.root(), extensions: [] };
  write('checkpoint', await signNote(formatCheckpoint(head), signer));
  writeFileSync(join(folder, 'policy'), `log ${formatVkey(vkey)}\nquorum none\n`);
  console.log(
    `${entries} entries: ${files} files, ${(bytes / 1e6).toFixed(0)} MB on the disk, ${(bytes / entries).toFixed(0)} bytes an entry; generated in ${seconds(began).toFixed(0)} s`,
  );
}

/** Reads inclusion proofs of random entries from the files, and verifies each. */
async function prove(): Promise<void> {
  const reader: TileReader = {
    tile: async (level, n, width) => readFileSync(join(log, encodeTilePath({ level, n, width }))),
    entries: async (n, width) => readFileSync(join(log, encodeTilePath({ level: 'entries', n, width }))),
  };
  const [, , encoded = ''] = readFileSync(join(log, 'checkpoint'), 'utf8').split('\n');
  const root = Buffer.from(encoded, 'base64');
  const times: number[] = [];
  for (let nth = 0; nth < PROOFS; nth++) {
    const index = cryptoHash('sha256', `index ${nth}`, 'buffer').readUIntBE(0, 6) % entries;
    const began = performance.now();
    const proof = await inclusionFromTiles(reader, index, entries, sha256);
    times.push(performance.now() - began);
    const found = await rootOfInclusion(leafHash(leafOf(index), sha256), index, entries, proof, sha256);
    if (found === null || !root.equals(found))
      throw new Error(`The proof of ${index} does not lead to the root`);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(2);
  console.log(`inclusion proofs from tiles: median ${at(0.5)} ms, p99 ${at(0.99)} ms, of ${PROOFS}`);
}

/** Seconds of CPU that ended children of this process have used, on Linux: what a busy machine does not change. */
function cpuOfChildren(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  // cutime and cstime, in hundredths of a second (proc(5))
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Runs the commands as a stranger does, each in a process of its own. */
function read(): boolean {
  const run = (name: string, ...words: string[]) => {
    const output = openSync(join(folder, 'out'), 'w');
    const [began, cpu] = [performance.now(), cpuOfChildren()];
    const { status } = spawnSync(
      process.execPath,
      [BIN, 'log', name, log, '--policy', join(folder, 'policy'), ...words],
      {
        stdio: ['ignore', output, 'inherit'],
      },
    );
    const took = seconds(began);
    writeSync(output, '\n');
    closeSync(output);
    if (status !== 0) throw new Error(`touchstone log ${name} ended with ${status}`);
    const [last = ''] = readFileSync(join(folder, 'out'), 'utf8').trimEnd().split('\n').slice(-1);
    const busy = cpuOfChildren() - cpu;
    console.log(
      `log ${name}: ${took.toFixed(1)} s, ${Math.round(entries / took)} entries a second (${busy.toFixed(1)} s of CPU)\n  ${last}`,
    );
    return entries / took;
  };
  const rate = run('monitor', '--domain', 'shop-1.example');
  run('audit');
  return rate >= 100_000;
}
