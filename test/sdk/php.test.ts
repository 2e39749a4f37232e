import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERIFIER } from '@touchstone/certificate/verify';
import { afterAll, describe, expect, it } from 'vitest';
import { CONCLUSION_TABLE } from '../../packages/certificate/src/verify/conclusion/conclusion-table.ts';
import { REASONS } from '../../packages/certificate/src/verify/reasons.ts';
import {
  WITHDRAWAL_NOTES,
  WITHDRAWAL_REASONS,
} from '../../packages/certificate/src/verify/withdrawal-reasons.ts';
import { ROOT } from '../kit/imports.ts';
import { hasPhp } from '../kit/php.ts';
import { keysOf, loadVectors } from '../kit/vectors.ts';
import { type Answer, outcomeOf, phpTransport, phpVerifier } from '../scenarios/transports/php.ts';
import { differences } from './generated-documents.ts';

const SDK = join(ROOT, 'sdk/php');
const DOCUMENTS = Number(process.env.TOUCHSTONE_SDK_DOCUMENTS ?? 500);

describe.skipIf(!hasPhp)('the verifier in PHP', () => {
  const files = hasPhp ? loadVectors() : [];
  const transport = hasPhp ? phpTransport() : undefined;
  afterAll(() => transport?.close());

  it('answers every vector of proofs, documents, profiles and withdrawals as they say', async () => {
    const counts: Record<string, number> = {};
    const wrong: object[] = [];
    for (const { jwks, vectors } of files) {
      for (const vector of vectors) {
        if (transport === undefined || transport.cannot(vector) !== null) continue;
        const keys = keysOf(jwks, vector);
        const [found, expected] = [await transport.run(vector, keys), transport.expected(vector, keys)];
        counts[vector.kind] = (counts[vector.kind] ?? 0) + 1;
        // as JSON, which has no undefined
        if (JSON.stringify(sorted(found)) !== JSON.stringify(sorted(expected)))
          wrong.push({ id: vector.id, found, expected });
      }
    }
    console.log('vectors through PHP:', counts);
    expect(wrong).toEqual([]);
    expect(counts).toEqual({ proof: 325, document: 429, profile: 225, withdrawal: 69 });
  });

  it(`agrees with TypeScript about ${DOCUMENTS} generated documents`, async () => {
    const verifier = phpVerifier();
    const ask = async (requests: readonly object[]) =>
      (await verifier.ask(requests)).map((answer) => outcomeOf({ kind: 'document' }, answer as Answer, true));
    const seed = Number(process.env.TOUCHSTONE_SDK_SEED ?? 1);
    const { compared, statuses, found } = await differences(ask, DOCUMENTS, seed);
    verifier.close();
    console.log('generated documents through PHP:', compared, statuses);
    expect(found).toEqual([]);
    expect(compared).toBe(DOCUMENTS);
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['verified', 'failed', 'unverified']));
  }, 3_600_000);

  it('says of each code what TypeScript says, and names the same version', async () => {
    const verifier = phpVerifier();
    const [texts] = (await verifier.ask([{ kind: 'texts' }])) as [
      { sentences: Record<string, string>; conclusions: Record<string, [string, string]>; verifier: string },
    ];
    verifier.close();
    const sentences: Readonly<Record<string, string>> = {
      ...REASONS,
      ...WITHDRAWAL_REASONS,
      ...WITHDRAWAL_NOTES,
    };
    const named = Object.keys(texts.sentences).map((code) => [code, sentences[code]]);
    expect(texts.sentences).toEqual(Object.fromEntries(named));
    const rows = CONCLUSION_TABLE.map(({ code, level, sentence }) => [code, [level, sentence]] as const);
    const drawn = rows.filter(([code]) => code in texts.conclusions);
    expect(texts.conclusions).toEqual(Object.fromEntries(drawn));
    expect(texts.verifier).toBe(VERIFIER);
  });

  it('passes its own tests', () => {
    const { status, stdout, stderr } = spawnSync('php', [join(SDK, 'tests/unit.php')], { encoding: 'utf8' });
    expect(stderr + stdout).toMatch(/^\d+ assertions, none failed\n$/);
    expect(status).toBe(0);
  });

  it('needs no later PHP than the plugin for WooCommerce, which contains it', () => {
    const manifest = JSON.parse(readFileSync(join(SDK, 'composer.json'), 'utf8')) as {
      require: Record<string, string>;
    };
    const plugin = readFileSync(join(ROOT, 'integrations/woocommerce/touchstone-certificates.php'), 'utf8');
    expect(manifest.require.php).toBe(`>=${/Requires PHP:\s+(\S+)/.exec(plugin)?.[1]}`);
  });
});

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}
