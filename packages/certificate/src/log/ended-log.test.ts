import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestIssuer, createTestLog, type TestLog } from '../testing/issuer.ts';
import { formatEndedLog } from './ended-log.ts';
import { type Policy, parsePolicy } from './policy.ts';
import { readCheckpoint } from './verify-checkpoint.ts';
import { verifyLogProof } from './verify-log-proof.ts';
import { parseVkey, type Vkey } from './vkey.ts';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
/** Of the first cosignature of a test log; those of the others follow each a second later. */
const COSIGNED_AT = 1_772_366_400;
const issuer = await createTestIssuer();
const document = await issuer.certificate();
const jwt = (document.proof as { jwt: string }).jwt;

interface Shown {
  readonly size: number;
  readonly text: string;
  readonly note: string;
}
let log: TestLog;
let early: Shown;
let last: Shown;

async function shown(of: TestLog, index: number, witnesses: readonly number[]): Promise<Shown> {
  const note = await of.checkpoint(witnesses);
  return { size: of.size, note, text: await of.proofOf(index, note) };
}

beforeAll(async () => {
  log = await createTestLog(sha256);
  const index = log.add(jwt);
  log.addEntry(Uint8Array.of(1));
  early = await shown(log, index, [1, 2]);
  log.addEntry(Uint8Array.of(2));
  last = await shown(log, index, []);
});

/** The policy of the log after it ended with `last`. */
async function policyAfter(
  quorum: string,
  { endedAt = COSIGNED_AT + 60, witnessedSize = early.size } = {},
): Promise<Policy> {
  const read = readCheckpoint(last.note);
  if (typeof read === 'string') throw new Error(read);
  const key = (await parseVkey(log.key.vkey)) as Vkey;
  const line = formatEndedLog({ key, endedAt, witnessedSize, ...read.checkpoint });
  return (await parsePolicy(log.policy(quorum).replace(/^log .*$/m, line))) as Policy;
}

const told = async ({ text }: Shown, policy: Policy) => {
  const { status, reason } = await verifyLogProof(document, text, { policy });
  return [status, reason];
};

describe('a log that ended, since its key was revoked', () => {
  it('is believed by its last checkpoint, which the policy names, witnessed or not', async () => {
    expect(await told(last, await policyAfter('none'))).toEqual(['logged', 'logged_not_witnessed']);
    expect(await told(last, await policyAfter('two'))).toEqual(['logged', 'logged_not_witnessed']);
    const cosigned = await shown(log, 0, [1, 3]);
    // witnesses may be asked afterwards: it is the same tree
    expect(await told(cosigned, await policyAfter('two', { endedAt: 1 }))).toEqual([
      'witnessed',
      'witnessed',
    ]);
  });

  it('is believed by what a quorum had cosigned before, and no more by its signature alone', async () => {
    expect(await told(early, await policyAfter('two'))).toEqual(['witnessed', 'witnessed']);
    for (const policy of [
      await policyAfter('none'),
      // not enough of them
      await policyAfter('w3'),
      // after the key was revoked, one of the two
      await policyAfter('two', { endedAt: COSIGNED_AT }),
      // the quorum of the operator has confirmed nothing of that size
      await policyAfter('two', { witnessedSize: early.size - 1 }),
    ])
      expect(await told(early, policy)).toEqual([null, 'log_ended']);
  });

  it('is not believed by what a thief of the key signs, whoever has cosigned it', async () => {
    const stolen = await createTestLog(sha256, log.origin, log.key);
    const index = stolen.add(jwt);
    while (stolen.size < last.size) stolen.addEntry(Uint8Array.of(9));
    const policy = await policyAfter('none');
    expect(await told(await shown(stolen, index, []), policy)).toEqual([null, 'log_ended']);
    stolen.addEntry(Uint8Array.of(9));
    expect(await told(await shown(stolen, index, []), policy)).toEqual([null, 'log_ended']);
    log.addEntry(Uint8Array.of(3));
    expect(await told(await shown(log, 0, [1, 2, 3]), await policyAfter('two'))).toEqual([null, 'log_ended']);
  });

  it('is one that the policy does not know, to readers of tlog-policy that take the line as the comment it is', async () => {
    const policy = await policyAfter('two');
    expect(policy.logs).toEqual([]);
    expect(policy.ended).toHaveLength(1);
    // the line wins over an older one of the same log
    const both = { ...policy, logs: policy.ended?.map(({ key }) => ({ key })) ?? [] };
    expect(await told(early, { ...both, witnesses: [] })).toEqual([null, 'log_ended']);
  });

  it('is told by a line in one form; any other is a comment of no meaning', async () => {
    const root = Buffer.alloc(32).toString('base64');
    const { vkey } = log.key;
    const read = async (line: string) => ((await parsePolicy(`${line}\nquorum none\n`)) as Policy).ended;
    expect(await read(`#ended ${vkey} 5 3 ${root} 3 https://a.example/log`)).toHaveLength(1);
    for (const line of [
      `#ended`,
      `# ended ${vkey} 5 3 ${root} 3`,
      `#ended ${vkey} 5 3 ${root}`,
      `#ended ${vkey} 5 3 ${root} 4`,
      `#ended ${vkey} 05 3 ${root} 3`,
      `#ended ${vkey} 5 -3 ${root} 3`,
      `#ended ${vkey} 5 3 AAAA 3`,
      `#ended ${vkey.replace('+', '')} 5 3 ${root} 3`,
      `#ended ${vkey} 5 3 ${root} 3 https://a.example/log more`,
    ])
      expect([line, await read(line)]).toEqual([line, undefined]);
  });
});
