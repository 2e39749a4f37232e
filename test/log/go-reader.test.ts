import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  consistencyFromTiles,
  encodeTilePath,
  inclusionFromTiles,
  newTiles,
  type Tile,
} from '@touchstone/certificate/log';
import { createTestLog } from '@touchstone/certificate/testing';
import { expect, it } from 'vitest';
import { useFolder } from '../kit/folder.ts';

const run = promisify(execFile);
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const base64 = (hashes: readonly Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('base64'));

/** Debian's golang-golang-x-mod-dev. */
const GOPATH = '/usr/share/gocode';
const hasGo =
  spawnSync('go', ['version']).status === 0 && existsSync(join(GOPATH, 'src/golang.org/x/mod/sumdb'));
const why = hasGo ? '' : ' (skipped: there is no Go with golang.org/x/mod)';
const folder = useFolder('go-reader');

it.skipIf(!hasGo)(
  `Go's sumdb reads every checkpoint, tile, entry and proof of a log that we made${why}`,
  async () => {
    const sizes = [1, 2, 255, 256, 257, 700, 65_536, 66_100];
    const log = await createTestLog(sha256);
    const write = async (path: string, content: string | Uint8Array) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    };
    const writeTile = async ({ level, n, width }: Tile & { readonly level: number }) => {
      await write(encodeTilePath({ level, n, width }), await log.reader.tile(level, n, width));
      if (level === 0)
        await write(encodeTilePath({ level: 'entries', n, width }), await log.reader.entries(n, width));
    };
    const inclusion: object[] = [];
    const consistency: object[] = [];
    for (const size of sizes) {
      const before = log.size;
      while (log.size < size) log.addEntry(Buffer.from(`entry ${log.size} ${'x'.repeat(log.size % 300)}`));
      for (const tile of newTiles(before, size)) await writeTile(tile);
      await write(`checkpoint.${size}`, await log.checkpoint([1, 2]));
      for (const index of new Set([0, Math.floor(size / 3), size - 1])) {
        const proof = base64(await inclusionFromTiles(log.reader, index, size, sha256));
        inclusion.push({ size, index, proof });
      }
      for (const from of sizes.filter((one) => one <= size))
        consistency.push({
          from,
          to: size,
          proof: base64(await consistencyFromTiles(log.reader, from, size, sha256)),
        });
    }
    await write('proofs.json', JSON.stringify({ inclusion, consistency }));

    const env = {
      PATH: process.env.PATH,
      GO111MODULE: 'off',
      GOPATH,
      GOCACHE: join(folder, '.cache'),
      GOTOOLCHAIN: 'local',
    };
    const program = join(folder, 'reader');
    await run('go', ['build', '-o', program, join(import.meta.dirname, 'reader.go')], { env });
    const { stdout } = await run(program, [folder, log.key.vkey]);
    expect(stdout).toBe(
      `8 checkpoints, ${sizes.reduce((all, size) => all + newTiles(0, size).length, 0)} tiles, 66100 entries, ${inclusion.length} inclusion proofs, ${consistency.length} consistency proofs\n`,
    );

    // and believes nothing else
    const bytes = await readFile(join(folder, 'tile/0/257'));
    bytes[40] = (bytes[40] as number) ^ 1;
    await writeFile(join(folder, 'tile/0/257'), bytes);
    await expect(run(program, [folder, log.key.vkey])).rejects.toThrow();
  },
);
