import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { REASONS } from '../../packages/certificate/src/verify/reasons.ts';
import {
  WITHDRAWAL_NOTES,
  WITHDRAWAL_REASONS,
} from '../../packages/certificate/src/verify/withdrawal-reasons.ts';
import { keysOf, loadVectors } from '../kit/vectors.ts';
import { GO_SDK, goTransport, hasGo, outcomeOf, startGo } from '../scenarios/transports/go.ts';
import { differences } from './generated-documents.ts';
import { generatedHosts } from './generated-hosts.ts';

// TOUCHSTONE_SDK_DOCUMENTS: how many generated documents are compared (default 500); TOUCHSTONE_STRESS_SEED: which ones.

const COUNT = Number(process.env.TOUCHSTONE_SDK_DOCUMENTS ?? 500);
const SEED = Number(process.env.TOUCHSTONE_STRESS_SEED ?? 32);

describe.skipIf(!hasGo)('the verifier in Go', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-go-'));
  const program = startGo(folder);
  const transport = goTransport(program);
  afterAll(async () => {
    await program.close();
    rmSync(folder, { recursive: true });
  });

  const run: string[] = [];
  const files = loadVectors().map(({ vectors, ...file }) => ({
    ...file,
    vectors: vectors.filter((vector) => transport.cannot(vector) === null),
  }));
  describe.each(files.filter(({ vectors }) => vectors.length > 0))('$file', ({ jwks, vectors }) => {
    it.each(vectors)('$id: $title', async (vector) => {
      const keys = keysOf(jwks, vector);
      expect(await transport.run(vector, keys)).toEqual(transport.expected(vector, keys));
      run.push(vector.kind);
    });
  });

  it('ran every public vector but those of pages', () => {
    const counts: Record<string, number> = {};
    for (const kind of run) counts[kind] = (counts[kind] ?? 0) + 1;
    process.stdout.write(`vectors in Go: ${JSON.stringify(counts)}\n`);
    expect(run.length).toBe(files.reduce((sum, { vectors }) => sum + vectors.length, 0));
  });

  it('says of any document what the SDK in TypeScript says', async () => {
    const ask = async (requests: readonly object[]) => (await program.ask(requests)).map(outcomeOf);
    const { compared, statuses, found } = await differences(ask, COUNT, SEED);
    process.stdout.write(
      `documents in Go and TypeScript, seed ${SEED}: ${compared} ${JSON.stringify(statuses)}\n`,
    );
    expect(found).toEqual([]);
  });

  it('has the sentences of the SDK in TypeScript', async () => {
    const all: Record<string, string> = { ...REASONS, ...WITHDRAWAL_REASONS, ...WITHDRAWAL_NOTES };
    const [answer] = await program.ask([{ kind: 'sentences', codes: Object.keys(all) }]);
    const told = Object.entries(answer?.sentences ?? {}).filter(([, sentence]) => sentence !== '');
    expect(told.length).toBeGreaterThan(50);
    expect(told).toEqual(told.map(([code]) => [code, all[code]]));
  });

  it.each([
    ['go', 'vet', './...'],
    ['gofmt', '-l', '.'],
    ['go', 'test', './...'],
  ])('passes %s %s %s', (tool, ...words) => {
    const hosts = join(folder, 'hosts');
    writeFileSync(hosts, generatedHosts(COUNT * 10, SEED).join('\n'));
    const env = { ...process.env, TOUCHSTONE_HOSTS: hosts };
    const { status, stdout, stderr } = spawnSync(tool, words, { cwd: GO_SDK, encoding: 'utf8', env });
    expect([status, stderr, tool === 'gofmt' ? stdout : '']).toEqual([0, '', '']);
  });
});
