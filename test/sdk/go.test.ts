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
import { describeTransport } from '../kit/describe-transport.ts';
import { buildGo, GO_SDK, goTransport, hasGo, startGo } from '../scenarios/transports/go.ts';
import { DOCUMENTS, DOCUMENTS_TIMEOUT, differences, SAME, SEED } from './differences.ts';
import { generatedHosts } from './generated-hosts.ts';

describe.skipIf(!hasGo)('the verifier in Go', () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-go-'));
  const built = hasGo ? buildGo(folder) : '';
  const program = startGo(built);
  afterAll(() => {
    program.close();
    rmSync(folder, { recursive: true });
  });

  describeTransport(goTransport(built), 129);

  it(`says of ${DOCUMENTS} generated documents what the SDK says`, {
    timeout: DOCUMENTS_TIMEOUT,
  }, async () => {
    expect(await differences(program)).toEqual(SAME);
  });

  it('has the sentences of the SDK', async () => {
    const all: Record<string, string> = { ...REASONS, ...WITHDRAWAL_REASONS, ...WITHDRAWAL_NOTES };
    const answer = await program.ask({ kind: 'sentences', codes: Object.keys(all) });
    const { sentences } = answer as { readonly sentences: Readonly<Record<string, string>> };
    const told = Object.entries(sentences).filter(([, sentence]) => sentence !== '');
    expect(told.length).toBeGreaterThan(50);
    expect(told).toEqual(told.map(([code]) => [code, all[code]]));
  });

  it.each([
    ['go', 'vet', './...'],
    ['gofmt', '-l', '.'],
    ['go', 'test', './...'],
  ])('passes %s %s %s', (tool, ...words) => {
    const hosts = join(folder, 'hosts');
    writeFileSync(hosts, generatedHosts(DOCUMENTS * 10, SEED).join('\n'));
    const env = { ...process.env, TOUCHSTONE_HOSTS: hosts };
    const { status, stdout, stderr } = spawnSync(tool, words, { cwd: GO_SDK, encoding: 'utf8', env });
    expect([status, stderr, tool === 'gofmt' ? stdout : '']).toEqual([0, '', '']);
  });
});
