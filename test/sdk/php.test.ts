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
import { describeTransport } from '../kit/describe-transport.ts';
import { ROOT } from '../kit/imports.ts';
import { hasPhp } from '../kit/php.ts';
import { PHP_SDK, phpTransport, startPhp } from '../scenarios/transports/php.ts';
import { DOCUMENTS, DOCUMENTS_TIMEOUT, differences, SAME } from './differences.ts';

interface Texts {
  readonly sentences: Readonly<Record<string, string>>;
  readonly conclusions: Readonly<Record<string, readonly [level: string, sentence: string]>>;
  readonly verifier: string;
}

describe.skipIf(!hasPhp)('the verifier in PHP', () => {
  const program = startPhp();
  afterAll(() => program.close());

  describeTransport(phpTransport(), 129);

  it(`says of ${DOCUMENTS} generated documents what the SDK says`, {
    timeout: DOCUMENTS_TIMEOUT,
  }, async () => {
    expect(await differences(program)).toEqual(SAME);
  });

  it('has the sentences and the version of the SDK', async () => {
    const texts = (await program.ask({ kind: 'texts' })) as unknown as Texts;
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
    const { status, stdout, stderr } = spawnSync('php', [join(PHP_SDK, 'tests/unit.php')], {
      encoding: 'utf8',
    });
    expect(stderr + stdout).toMatch(/^\d+ assertions, none failed\n$/);
    expect(status).toBe(0);
  });

  it('needs no later PHP than the plugin for WooCommerce, which contains it', () => {
    const manifest = JSON.parse(readFileSync(join(PHP_SDK, 'composer.json'), 'utf8')) as {
      require: Record<string, string>;
    };
    const plugin = readFileSync(join(ROOT, 'integrations/woocommerce/touchstone-certificates.php'), 'utf8');
    expect(manifest.require.php).toBe(`>=${/Requires PHP:\s+(\S+)/.exec(plugin)?.[1]}`);
  });
});
