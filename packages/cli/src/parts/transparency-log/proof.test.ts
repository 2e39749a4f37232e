import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  COSIGNATURE_ED25519,
  cosign,
  formatLogProof,
  formatNote,
  inclusionFromTiles,
  parseNote,
} from '@touchstone/certificate/log';
import { expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { createTestIssuer, TEST_NOW } from '../../../../certificate/src/testing/issuer.ts';
import { loopbackServers, runCli } from '../../testing.ts';
import { testKey, testLeaf, testLog } from './testing.ts';
import { sha256 } from './verified-tiles.ts';

const folder = useFolder('log-proof');
const serve = loopbackServers();

it('fetches the newest proof of a certificate, and counts it by the policy of the caller', async () => {
  const issuer = await createTestIssuer();
  const document = await issuer.certificate();
  const { jwt } = document.proof as { readonly jwt: string };
  const { iat, exp, domain } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
  const digest = createHash('sha256').update(jwt).digest();
  const log = await testLog('log.example/api/v1/mc4p/log/2026');
  const entry = testLeaf(1, { iat, exp, domain, kid: issuer.kid, proof: digest.toString('base64url') });
  log.append(testLeaf(0), entry, testLeaf(2));
  const witnesses = await Promise.all([1, 2].map((n) => testKey(`w.example/${n}`, COSIGNATURE_ED25519)));
  const note = parseNote(await log.checkpoint());
  if (typeof note === 'string') throw new Error(note);
  const cosigned = await cosign(note.text, 1, (witnesses[0] ?? log).signer);
  const checkpoint = formatNote({ ...note, signatures: [...note.signatures, cosigned] });
  const hashes = await inclusionFromTiles(log.tiles, 1, 3, sha256);
  const text = formatLogProof({ extra: new Uint8Array(entry), index: 1, hashes, checkpoint });
  let body = text;
  const { url } = await serve(({ path }) => {
    if (path === '/api/v1/mc4p/log/policy') return { body: Buffer.from(`log ${log.vkey}\nquorum none\n`) };
    return path.endsWith(`/log/proofs/${digest.toString('base64url')}`)
      ? { body: Buffer.from(body) }
      : { status: 404 };
  });
  const file = join(folder, 'cup.json');
  await writeFile(file, JSON.stringify(document));
  const proof = (...more: string[]) =>
    runCli(['log', 'proof', file, '--service', url, ...more], { now: TEST_NOW });

  const out = join(folder, 'cup.tlog-proof');
  expect(await proof('--out', out)).toMatchObject({
    code: 0,
    out: '',
    err: 'Entry 1 of 3 in log.example/api/v1/mc4p/log/2026; logged, not witnessed.\n',
  });
  expect(await readFile(out, 'utf8')).toBe(text);
  expect(await proof()).toMatchObject({ code: 0, out: text });
  const policyWith = async (quorum: string) => {
    const named = witnesses.map(({ vkey }, n) => `witness w${n} ${vkey}\n`).join('');
    const path = join(folder, 'policy');
    await writeFile(path, `log ${log.vkey}\n${named}group both all w0 w1\nquorum ${quorum}\n`);
    return ['--policy', path];
  };
  const short = await proof(...(await policyWith('both')), '--json');
  expect([short.code, short.json()]).toEqual([
    2,
    expect.objectContaining({ status: 'logged', witnesses: ['w0'] }),
  ]);
  const met = await proof(...(await policyWith('w0')));
  expect([met.code, met.err]).toEqual([0, expect.stringContaining('witnessed by w0')]);
  body = text.replace('index 1', 'index 2');
  expect(await proof()).toMatchObject({ code: 1, err: expect.stringContaining('log_inclusion_invalid') });

  await writeFile(
    file,
    JSON.stringify(await issuer.certificate({ issuedAt: new Date(TEST_NOW.getTime() - 1_000) })),
  );
  expect(await proof('--json')).toMatchObject({
    code: 2,
    out: expect.stringContaining('certificate_not_logged'),
  });
  await writeFile(file, '{}');
  expect((await proof()).code).toBe(64);
});
