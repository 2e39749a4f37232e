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
import type {
  CertificateLogVector,
  CheckpointVector,
  CosignatureVector,
  LogProofVector,
  PolicyVector,
} from './log-vectors.ts';

const policyOf = async (text: string) => (await parsePolicy(text)) as Policy;

/** A policy without a quorum, of keys alone. */
async function policyBy(logs: readonly string[], witnesses: readonly string[] = []): Promise<Policy> {
  const keysOf = async (vkeys: readonly string[]) =>
    (await Promise.all(vkeys.map(parseVkey))).map(
      (key) => ({ key, name: key?.name }) as PolicyLog & { name: string },
    );
  return { logs: await keysOf(logs), witnesses: await keysOf(witnesses) };
}

async function certificateAnswer({ jwt, logProof, policy }: CertificateLogVector) {
  const read = await parsePolicy(policy);
  if ('fault' in read) return { status: null, reason: read.fault };
  const { status, reason } = await verifyLogProof(jwt, logProof, { policy: read });
  return { status, reason };
}

/** What our functions answer to the vectors of each file of test/vectors/log, in the form of their `expect`. */
export const LOG_ANSWERS = {
  async policy({ policy, expect: wanted }: PolicyVector) {
    const read = await parsePolicy(policy);
    if ('fault' in read) {
      const { fault: reason, ...line } = read;
      return { valid: false, reason, ...line };
    }
    const { met, unmet } = wanted.valid ? wanted : { met: [], unmet: [] };
    const isMet = (names: readonly string[]) => quorumMet(read, new Set(names));
    return { valid: true, met: met.filter(isMet), unmet: unmet.filter((names) => !isMet(names)) };
  },

  async checkpoint({ logs, note }: CheckpointVector) {
    const found = await verifyCheckpoint(note, await policyBy(logs));
    if (typeof found === 'string') return { valid: false, reason: found };
    const { origin, size, root } = found.checkpoint;
    return { valid: true, origin, size, root: Buffer.from(root).toString('base64') };
  },

  async cosignature({ logs, witnesses, note }: CosignatureVector) {
    const found = await verifyCheckpoint(note, await policyBy(logs, witnesses));
    if (typeof found === 'string') return { valid: false, reason: found };
    const cosigned = found.signatures.filter(({ timestamp }) => timestamp !== undefined);
    return {
      valid: true,
      cosignatures: cosigned.map(({ key: { name }, timestamp }) => ({ name, timestamp })),
    };
  },

  async 'tlog-proof'({ policy, entry, proof }: LogProofVector) {
    const bytes = new Uint8Array(Buffer.from(entry, 'base64'));
    const { status, reason, origin, index, treeSize, witnesses, steps } = await verifyIncluded(bytes, proof, {
      policy: await policyOf(policy),
    });
    if (status !== 'logged' && status !== 'witnessed') return { valid: false, reason };
    const quorum = steps.at(-1)?.result !== false;
    return { valid: true, origin, index, size: treeSize, cosigned: witnesses, quorum };
  },

  certificates: certificateAnswer,
  ended: certificateAnswer,
} as const;
