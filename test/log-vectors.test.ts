import {
  type Policy,
  type PolicyLog,
  parsePolicy,
  parseVkey,
  quorumMet,
  verifyCheckpoint,
  verifyIncluded,
  verifyLogProof,
} from '@touchstone/certificate/log';
import { describe, expect, it } from 'vitest';
import {
  type CertificateLogVector,
  type CheckpointVector,
  type CosignatureVector,
  type LogProofVector,
  logVectorsOf,
  type PolicyVector,
} from './kit/log-vectors.ts';

const policyOf = async (text: string) => (await parsePolicy(text)) as Policy;

/** A policy without a quorum, of keys alone. */
async function policyBy(logs: readonly string[], witnesses: readonly string[] = []): Promise<Policy> {
  const keysOf = async (vkeys: readonly string[]) =>
    (await Promise.all(vkeys.map(parseVkey))).map(
      (key) => ({ key, name: key?.name }) as PolicyLog & { name: string },
    );
  return { logs: await keysOf(logs), witnesses: await keysOf(witnesses) };
}

describe('the vectors of transparency logs', () => {
  it.each(logVectorsOf<PolicyVector>('policy'))('policy, $id: $title', async ({ policy, expect: wanted }) => {
    const read = await parsePolicy(policy);
    if (!wanted.valid) {
      const { reason: fault, line } = wanted;
      return expect(read).toEqual({ fault, ...(line !== undefined && { line }) });
    }
    const isMet = (names: readonly string[]) => quorumMet(read as Policy, new Set(names));
    expect(read).not.toHaveProperty('fault');
    expect([wanted.met.map(isMet), wanted.unmet.map(isMet)]).toEqual([
      wanted.met.map(() => true),
      wanted.unmet.map(() => false),
    ]);
  });

  it.each(logVectorsOf<CheckpointVector>('checkpoint'))(
    'checkpoint, $id: $title',
    async ({ logs, note, expect: wanted }) => {
      const found = await verifyCheckpoint(note, await policyBy(logs));
      if (!wanted.valid) return expect(found).toBe(wanted.reason);
      const { origin, size, root } = wanted;
      expect(found).toMatchObject({
        checkpoint: { origin, size, root: new Uint8Array(Buffer.from(root, 'base64')) },
      });
    },
  );

  it.each(logVectorsOf<CosignatureVector>('cosignature'))(
    'cosignature, $id: $title',
    async ({ logs, witnesses, note, expect: wanted }) => {
      const found = await verifyCheckpoint(note, await policyBy(logs, witnesses));
      if (!wanted.valid) return expect(found).toBe(wanted.reason);
      if (typeof found === 'string') throw new Error(found);
      const cosigned = found.signatures.filter(({ timestamp }) => timestamp !== undefined);
      expect(cosigned.map(({ key: { name }, timestamp }) => ({ name, timestamp }))).toEqual(
        wanted.cosignatures,
      );
    },
  );

  it.each(logVectorsOf<LogProofVector>('tlog-proof'))(
    'tlog-proof, $id: $title',
    async ({ policy, entry, proof, expect: wanted }) => {
      const bytes = new Uint8Array(Buffer.from(entry, 'base64'));
      const found = await verifyIncluded(bytes, proof, { policy: await policyOf(policy) });
      if (!wanted.valid) return expect(found.reason).toBe(wanted.reason);
      const { origin, index, size, cosigned, quorum } = wanted;
      expect(found).toMatchObject({ origin, index, treeSize: size, witnesses: cosigned });
      expect(found.steps.at(-1)?.result !== false).toBe(quorum);
    },
  );

  it.each(logVectorsOf<CertificateLogVector>('certificates'))(
    'certificate, $id: $title',
    async ({ jwt, logProof, policy, expect: wanted }) => {
      const { status, reason } = await verifyLogProof(jwt, logProof, { policy: await policyOf(policy) });
      expect({ status, reason }).toEqual(wanted);
    },
  );
});
