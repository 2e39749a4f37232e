import { describe, expect, it } from 'vitest';
import { type Policy, parsePolicy, quorumMet } from './policy.ts';
import { COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44, ED25519, formatVkey, vkeyOf } from './vkey.ts';

const key = async (name: string, fill: number, type: number, length = 32) =>
  formatVkey(await vkeyOf(name, new Uint8Array(length).fill(fill), type));
const LOG = await key('log.example', 1, ED25519);
const WITNESSES = await Promise.all(
  [10, 11, 12, 13, 14, 15].map((fill) => key(`w${fill}.example`, fill, COSIGNATURE_ED25519)),
);
const [W1 = '', W2 = ''] = WITNESSES;
const declared = WITNESSES.map((vkey, at) => `witness ${at < 3 ? 'X' : 'Y'}${(at % 3) + 1} ${vkey}\n`).join(
  '',
);
const read = async (text: string | Uint8Array) => (await parsePolicy(text)) as Policy;

describe('a policy', () => {
  it('of nested groups is met by enough members of each', async () => {
    const policy = await read(
      `log ${LOG} https://log.example/
${declared}
  # the operators
group X-witnesses 2 X1 X2 X3
group Y-witnesses any Y1 Y2 Y3
group\tX-and-Y   all X-witnesses Y-witnesses\x20
quorum X-and-Y`,
    );
    expect(policy.logs).toMatchObject([{ key: { name: 'log.example' }, url: 'https://log.example/' }]);
    expect(policy.witnesses).toHaveLength(6);
    const met = (...names: string[]) => quorumMet(policy, new Set(names));
    expect(met('X1', 'X3', 'Y2')).toBe(true);
    expect(met('X1', 'Y1', 'Y2', 'Y3')).toBe(false);
    expect(met('X1', 'X2', 'X3')).toBe(false);
    expect(met('X-and-Y', 'X-witnesses')).toBe(false);
    expect(met()).toBe(false);
  });

  it('may require one witness or none', async () => {
    const one = await read(`witness w ${W1} https://w.example/\nquorum w\n`);
    expect(one.witnesses[0]?.url).toBe('https://w.example/');
    expect([quorumMet(one, new Set(['w'])), quorumMet(one, new Set())]).toEqual([true, false]);
    expect(await read('quorum none')).toEqual({ logs: [], witnesses: [] });
  });

  it('keeps what it cannot verify, and names of any bytes', async () => {
    const mlDsa = await key('pq.example', 3, COSIGNATURE_ML_DSA_44, 1312);
    expect((await read(`witness pq ${mlDsa}\nquorum pq\n`)).witnesses[0]?.key.type).toBe(6);
    const bytes = Buffer.concat([
      Buffer.from('# '),
      Buffer.of(0xff),
      Buffer.from('\nwitness '),
      Buffer.of(0xfe),
      Buffer.from(` ${W1}\nquorum `),
      Buffer.of(0xfe, 0x0a),
    ]);
    expect(quorumMet(await read(new Uint8Array(bytes)), new Set(['þ']))).toBe(true);
    // the sign for kelvin is not the letter K
    const kelvin = `witness K ${W1}\nwitness \u212a ${W2}\nquorum \u212a\n`;
    expect(quorumMet(await read(kelvin), new Set(['K']))).toBe(false);
  });

  it.each([
    ['', 'policy_quorum_absent', undefined],
    ['quorum none\nquorum none\n', 'policy_quorum_repeated', 2],
    ['quorum w\n', 'policy_name_unknown', 1],
    ['quorum\n', 'policy_line_malformed', 1],
    ['quorum none x\n', 'policy_line_malformed', 1],
    ['Quorum none\n', 'policy_line_malformed', 1],
    ['quorum none\r\n', 'policy_character_forbidden', 1],
    ['# \x7f\nquorum none\n', 'policy_character_forbidden', 1],
    [`log ${LOG.replace('log', 'lag')}\nquorum none\n`, 'policy_key_malformed', 1],
    [`log ${LOG} u v\nquorum none\n`, 'policy_line_malformed', 1],
    [`log ${W1}\nquorum none\n`, 'policy_key_type_wrong', 1],
    [`witness w ${LOG}\nquorum none\n`, 'policy_key_type_wrong', 1],
    [`log ${LOG}\nlog ${LOG}\nquorum none\n`, 'policy_key_repeated', 2],
    [`witness a ${W1}\nwitness b ${W1}\nquorum none\n`, 'policy_key_repeated', 2],
    [`witness a ${W1}\nwitness a ${W2}\nquorum none\n`, 'policy_name_repeated', 2],
    [`witness none ${W1}\nquorum none\n`, 'policy_name_repeated', 1],
    [`witness a ${W1}\ngroup a all a\nquorum none\n`, 'policy_name_repeated', 2],
    [`witness a ${W1}\ngroup g all none\nquorum none\n`, 'policy_name_unknown', 2],
    [`witness a ${W1}\ngroup g all g\nquorum g\n`, 'policy_name_unknown', 2],
    [`witness a ${W1}\ngroup g all a a\nquorum g\n`, 'policy_member_repeated', 2],
    [`witness a ${W1}\ngroup g all a\ngroup h all a\nquorum g\n`, 'policy_member_repeated', 3],
    [`witness a ${W1}\ngroup g 0 a\nquorum g\n`, 'policy_threshold_wrong', 2],
    [`witness a ${W1}\ngroup g 2 a\nquorum g\n`, 'policy_threshold_wrong', 2],
    [`witness a ${W1}\ngroup g 01 a\nquorum g\n`, 'policy_threshold_wrong', 2],
    [`witness a ${W1}\ngroup g all\nquorum g\n`, 'policy_line_malformed', 2],
    ['#'.repeat(65_537), 'policy_too_large', undefined],
  ])('is refused with its line: %j', async (text, fault, line) => {
    expect(await parsePolicy(text)).toEqual({ fault, ...(line !== undefined && { line }) });
  });
});
