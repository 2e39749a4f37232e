import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { createTestIssuer } from '../../../../certificate/src/testing/issuer.ts';
import { runCli } from '../../testing.ts';
import { type TestLog, testLeaf, testLog } from './testing.ts';

const folder = useFolder('audit');
const ORIGIN = 'log.example/api/v1/mc4p/log/2026';
const issuer = await createTestIssuer();

async function published(log: TestLog) {
  const own = mkdtempSync(join(folder, 'a-'));
  const place = join(own, 'log');
  await log.writeTo(place);
  const policy = join(own, 'policy');
  await writeFile(policy, `log ${log.vkey}\nquorum none\n`);
  return { own, place, policy };
}

async function audit({ place, policy }: Awaited<ReturnType<typeof published>>, more: readonly string[] = []) {
  const ran = await runCli(['log', 'audit', place, '--policy', policy, '--json', ...more]);
  const [first = {}] = (ran.json().logs ?? []) as Record<string, unknown>[];
  const findings = (first.findings ?? []) as { readonly fault: string; readonly at: string }[];
  return { code: ran.code, result: first, faults: findings.map(({ fault, at }) => `${fault} ${at}`) };
}

async function logOf(size: number, ...more: readonly Uint8Array[]): Promise<TestLog> {
  const log = await testLog(ORIGIN);
  log.append(...Array.from({ length: size }, (_, number) => testLeaf(number)), ...more);
  return log;
}

/** A certificate, and the entry that a log must have of it. */
async function certificateOf(number: number, members: Parameters<typeof testLeaf>[1] = {}) {
  const issuedAt = new Date(Date.UTC(2026, 2, 1 + number));
  const document = await issuer.certificate({ issuedAt });
  const { jwt } = document.proof as { readonly jwt: string };
  const { iat, exp, domain } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
  const proof = createHash('sha256').update(jwt).digest('base64url');
  return {
    document,
    proof,
    leaf: testLeaf(number, { iat, exp, domain, proof, kid: issuer.kid, ...members }),
  };
}

describe('touchstone log audit', () => {
  it('recomputes every tile of a log that is right, and says what it could not compare', async () => {
    const { code, result } = await audit(await published(await logOf(70_000)));
    expect([code, result]).toEqual([
      0,
      expect.objectContaining({ entries: 70_000, tiles: 274 + 2 + 1, faults: 0, compared: 0 }),
    ]);
    expect(result.notChecked).toEqual(['70000 entries against their proofs, which were not given']);
  });

  it.each(['tile/0/000', 'tile/0/002.p/188', 'tile/1/000.p/2'])(
    'finds the bit that differs in %s',
    async (path) => {
      const at = await published(await logOf(700));
      const bytes = await readFile(join(at.place, path));
      bytes[40] = (bytes[40] ?? 0) ^ 1;
      await writeFile(join(at.place, path), bytes);
      expect(await audit(at)).toMatchObject({ code: 1, faults: [`tile_differs ${path}`] });
      await rm(join(at.place, path));
      expect(await audit(at)).toMatchObject({ code: 1, faults: [`tile_missing ${path}`] });
    },
  );

  it('finds an entry that was changed by the tile and the root that do not follow from it', async () => {
    const at = await published(await logOf(700));
    const path = join(at.place, 'tile/entries/001');
    await writeFile(
      path,
      (await readFile(path, 'latin1')).replace('other.example', 'outer.example'),
      'latin1',
    );
    const { code, faults } = await audit(at);
    expect([code, faults]).toEqual([
      1,
      ['tile_differs tile/0/001', 'tile_differs tile/1/000.p/2', 'root_differs checkpoint'],
    ]);
  });

  it('finds a proof that is logged twice, and one of another year', async () => {
    const twice = testLeaf(5);
    const { code, faults } = await audit(
      await published(await logOf(300, twice, testLeaf(9_000_000, { iat: 1 }))),
    );
    expect(code).toBe(1);
    expect(faults).toEqual(['year_differs 301', expect.stringMatching(/^proof_repeated .{10}…$/)]);
  });

  it('compares entries with the certificates that are given, and finds those that are not logged', async () => {
    const [right, other, missing] = [
      await certificateOf(1),
      await certificateOf(2, { domain: 'victim.example' }),
      await certificateOf(3),
    ];
    const at = await published(await logOf(3, right.leaf, other.leaf));
    const certificates = join(at.own, 'certificates');
    await mkdir(join(certificates, 'more'), { recursive: true });
    await writeFile(join(certificates, 'one.json'), JSON.stringify(right.document));
    expect(await audit(at, ['--certificates', certificates])).toMatchObject({
      code: 0,
      result: { compared: 1 },
    });
    await writeFile(
      join(certificates, 'more/two.ndjson'),
      `${JSON.stringify([other.document, missing.document])}\n`,
    );
    const { code, faults, result } = await audit(at, ['--certificates', certificates]);
    expect([code, result.compared, faults]).toEqual([
      1,
      2,
      ['leaf_differs 4', `proof_not_logged ${missing.proof}`],
    ]);
    expect((await audit(at, ['--certificates', at.policy])).code).toBe(64);
  });

  it('looks at nothing else if the checkpoint is not signed by the log', async () => {
    const at = await published(await logOf(3));
    await writeFile(at.policy, `log ${(await testLog(ORIGIN)).vkey}\nquorum none\n`);
    expect(await audit(at)).toMatchObject({
      code: 1,
      result: { fault: expect.stringContaining('not signed') },
    });
  });

  it('looks for a certificate in all logs of its year, of which one has ended', async () => {
    const [first, second] = [await certificateOf(1), await certificateOf(2)];
    const at = await published(await logOf(3, first.leaf));
    const log = await logOf(3, first.leaf);
    const place = join(at.own, '2026');
    await log.writeTo(place);
    const next = await testLog(`${ORIGIN}-2`);
    next.append(second.leaf);
    await next.writeTo(`${place}-2`);
    await writeFile(at.policy, `${await log.ended()}\nlog ${next.vkey}\nquorum none\n`);
    const certificates = join(at.own, 'both.json');
    await writeFile(certificates, JSON.stringify([first.document, second.document]));
    const run = async (of: string) => {
      const argv = ['log', 'audit', of, '--policy', at.policy, '--json', '--certificates', certificates];
      const { code, json } = await runCli(argv);
      const logs = json().logs as { readonly faults: number; readonly compared: number; ended?: string }[];
      return [code, ...logs.map(({ faults, compared, ended }) => [faults, compared, ended !== undefined])];
    };
    expect(await run(place)).toEqual([0, [0, 1, true], [0, 1, false]]);
    // what the first has is not known from the second alone
    expect(await run(`${place}-2`)).toEqual([0, [0, 1, false]]);
    await writeFile(certificates, JSON.stringify([first.document, (await certificateOf(3)).document]));
    expect(await run(place)).toEqual([1, [0, 1, true], [1, 0, false]]);
  });
});
