import { join } from 'node:path';
import {
  COSIGNATURE_ED25519,
  cosign,
  formatNote,
  formatVkey,
  type Note,
  type Policy,
  parseNote,
  parsePolicy,
  quorumMet,
  type Vkey,
  verifyNote,
} from '@touchstone/certificate/log';
import { afterAll, expect, it } from 'vitest';
import { useFolder } from '../../../../../../test/kit/folder.ts';
import { closeServer, portOf } from '../../../../../../test/kit/servers.ts';
import { loopbackServers } from '../../../testing.ts';
import { type TestLog, testKey, testLeaf, testLog } from '../testing.ts';
import { createWitness } from './witness.ts';
import { makeWitnessKey } from './witness-key.ts';
import { createWitnessServer } from './witness-server.ts';
import { createFileState } from './witness-state.ts';

const folder = useFolder('quorum');
const serve = loopbackServers();
const servers: ReturnType<typeof createWitnessServer>[] = [];
afterAll(() => Promise.all(servers.map(closeServer)));

/** A witness that can be ended, and started again with what it remembers. */
async function honest(name: string, { vkey }: TestLog) {
  const key = await makeWitnessKey(join(folder, name, 'key'), name);
  const logKey = (await parsePolicy(`log ${vkey}\nquorum none\n`)) as Policy;
  const keys = logKey.logs.map((log) => log.key);
  const logs = {
    keysOf: async (origin: string) => keys.filter((one) => one.name === origin),
    endOf: async () => undefined,
    originOf: async () => undefined,
    count: async () => keys.length,
  };
  const state = createFileState(join(folder, name, 'cosigned'));
  const witness = await createWitness({
    key,
    logs,
    state,
    now: () => new Date(),
    perSecond: 100,
    onFork: async () => {},
  });
  const server = createWitnessServer(witness, (error) => {
    throw error;
  });
  servers.push(server);
  let port = 0;
  return {
    vkey: witness.vkey,
    start: async () => {
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      port = portOf(server);
      return `http://127.0.0.1:${port}`;
    },
    end: () => closeServer(server),
  };
}

/** Asks each witness as a log does, and adds the cosignatures of this checkpoint to it that are valid. */
async function collected(
  log: TestLog,
  size: number,
  asked: readonly (readonly [Vkey, string])[],
): Promise<Note> {
  let note = parseNote(await log.checkpoint(size)) as Note;
  for (const [vkey, url] of asked) {
    let from = size;
    for (let attempt = 0; attempt < 2; attempt++) {
      const body = await log.request(from, size);
      const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body }).catch(() => undefined);
      const text = (await response?.text()) ?? '';
      if (response?.status === 409) from = Number(text);
      else if (response?.status === 200) {
        const added = parseNote(`${formatNote(note)}${text}`);
        const verified = typeof added === 'string' ? added : await verifyNote(added, [vkey]);
        if (typeof added !== 'string' && typeof verified !== 'string' && verified.length > 0) note = added;
        break;
      } else break;
    }
  }
  return note;
}

it('two of three: one witness that signs another tree, and one that is gone, make no quorum, until it catches up', async () => {
  const origin = 'log.example/2026';
  const log = await testLog(origin);
  log.append(...Array.from({ length: 600 }, (_, number) => testLeaf(number)));
  const fork = await testLog(origin, log);
  fork.append(
    ...Array.from({ length: 600 }, (_, number) => testLeaf(number < 300 ? number : 1_000 + number)),
  );
  const [first, late] = [await honest('first.example', log), await honest('late.example', log)];
  const liar = await testKey('liar.example', COSIGNATURE_ED25519);
  const lying = await serve(() => ({ body: answer }));
  let answer = '';
  const lie = async (size: number) => {
    const text = (await fork.checkpoint(size)).split('\n\n')[0] ?? '';
    const signature = await cosign(`${text}\n`, Math.floor(Date.now() / 1000), liar.signer);
    answer = formatNote({ text: '', signatures: [signature] }).slice(1);
    return signature;
  };
  const policyText = [
    `log ${log.vkey}`,
    ...[first.vkey, late.vkey].map((vkey, n) => `witness w${n} ${formatVkey(vkey)}`),
    `witness liar ${liar.vkey}`,
    'group two 2 w0 w1 liar',
    'quorum two',
    '',
  ].join('\n');
  const policy = (await parsePolicy(policyText)) as Policy;
  const keys = [...policy.logs, ...policy.witnesses].map(({ key }) => key);
  const witnessesOf = async (note: Note) => {
    const verified = await verifyNote(note, keys);
    if (typeof verified === 'string') return verified;
    return policy.witnesses.flatMap(({ name, key }) =>
      verified.some((one) => one.key === key) ? [name] : [],
    );
  };
  const isMet = async (note: Note) => {
    const names = await witnessesOf(note);
    return typeof names !== 'string' && quorumMet(policy, new Set(names));
  };
  const liarKey = policy.witnesses[2]?.key as Vkey;
  const urls = { first: await first.start(), late: await late.start() };
  const asked = [
    [first.vkey, urls.first],
    [late.vkey, urls.late],
    [liarKey, lying.url],
  ] as const;

  // all are there
  await lie(200);
  const early = await collected(log, 200, asked);
  expect([await witnessesOf(early), await isMet(early)]).toEqual([['w0', 'w1', 'liar'], true]);
  // the trees part at 300: one lies, one is gone
  await late.end();
  const false500 = await lie(500);
  const note = await collected(log, 500, asked);
  expect([await witnessesOf(note), await isMet(note)]).toEqual([['w0'], false]);
  // a log that adds what it was given has no valid note at all
  const careless = { ...note, signatures: [...note.signatures, false500] };
  expect([await witnessesOf(careless), await isMet(careless)]).toEqual(['note_signature_invalid', false]);
  // what the liar and the log agree on reaches no quorum: no other has cosigned the other tree
  const forked = await collected(fork, 500, asked);
  expect([await witnessesOf(forked), await isMet(forked)]).toEqual([['liar'], false]);
  // the late one catches up from the size that it remembers
  await late.start();
  const caughtUp = await collected(log, 600, asked);
  expect([await witnessesOf(caughtUp), await isMet(caughtUp)]).toEqual([['w0', 'w1'], true]);
  // from then on no quorum is left for the other tree
  await lie(600);
  expect(await isMet(await collected(fork, 600, asked))).toBe(false);
});
