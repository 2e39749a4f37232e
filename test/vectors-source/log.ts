import { generateKeyPairSync, sign } from 'node:crypto';
import type {
  CertificateLogVector,
  CheckpointVector,
  CosignatureVector,
  LogProofVector,
  LogVectorFile,
  PolicyVector,
} from '../kit/log-vectors.ts';
import type { Keys } from './keys.ts';
import {
  base64,
  base64url,
  bodyOf,
  cosignature,
  leafHash,
  lineOf,
  logLine,
  type NoteKey,
  noteKey,
  ORIGIN,
  pathOf,
  rootOf,
  sha256,
  T,
  vkeyOf,
} from './log-notes.ts';
import { ISSUED_AT, ISSUER, OTHER_PRODUCT_ID, proof, WEEK } from './tokens.ts';

/** The vectors of transparency logs: a set of its own, for any reader of C2SP's formats; the last file is about our certificates. */
export function logVectors(keys: Keys): readonly LogVectorFile[] {
  const log = noteKey(ORIGIN, 1);
  const other = noteKey('other.example/log', 1);
  const pairs = [1, 2, 3].map(() => generateKeyPairSync('ed25519'));
  const [w1, w2, w3] = pairs.map((pair, at) => noteKey(`w${at + 1}.example`, 4, pair)) as [
    NoteKey,
    NoteKey,
    NoteKey,
  ];
  const mlDsa = vkeyOf('pq.example', 6, Buffer.alloc(1312, 7));

  return [
    {
      name: 'policy',
      about: 'Policy files (tlog-policy), and which sets of witnesses meet their quorum.',
      vectors: policies(),
    },
    {
      name: 'checkpoint',
      about: 'Checkpoints (tlog-checkpoint, signed-note), by the keys of known logs.',
      vectors: checkpoints(),
    },
    {
      name: 'cosignature',
      about: 'Cosigned checkpoints (tlog-cosignature, Ed25519), by the keys of known witnesses.',
      vectors: cosignatures(),
    },
    {
      name: 'tlog-proof',
      about: 'Proofs that an entry is in a log (tlog-proof), by a policy.',
      vectors: proofs(),
    },
    {
      name: 'certificates',
      about: 'What a certificate says about its place in a log (`svc:logProof`), by a policy.',
      vectors: certificates(),
    },
  ];

  function policies(): PolicyVector[] {
    const lines = [w1, w2, w3].map(({ vkey }, at) => `witness w${at + 1} ${vkey}\n`).join('');
    const [first, second] = [`witness a ${w1.vkey}\n`, `witness b ${w2.vkey}\n`];
    const good = (
      id: string,
      title: string,
      policy: string,
      met: string[][],
      unmet: string[][],
    ): PolicyVector => ({
      id,
      title,
      policy,
      expect: { valid: true, met, unmet },
    });
    const bad = (id: string, title: string, policy: string, reason: string, line?: number): PolicyVector => ({
      id,
      title,
      policy,
      expect: { valid: false, reason, ...(line !== undefined && { line }) },
    });
    const nested = `${lines}witness y ${noteKey('y.example', 4).vkey}\ngroup X 2 w1 w2 w3\ngroup all any y\ngroup g all X all\nquorum g\n`;
    return [
      good('none', 'No quorum', 'quorum none\n', [[]], []),
      good('one', 'One witness', `log ${log.vkey}\n${first}quorum a\n`, [['a']], [[]]),
      good(
        'urls',
        'A log and a witness with addresses',
        `log ${log.vkey} https://l.example/\nwitness a ${w1.vkey} https://w.example/\nquorum a\n`,
        [['a']],
        [[]],
      ),
      good('any', 'Any of three', `${lines}group g any w1 w2 w3\nquorum g\n`, [['w1'], ['w2', 'w3']], [[]]),
      good(
        'all',
        'All of three',
        `${lines}group g all w1 w2 w3\nquorum g\n`,
        [['w1', 'w2', 'w3']],
        [['w1', 'w2']],
      ),
      good(
        'two-of-three',
        'Two of three',
        `${lines}group g 2 w1 w2 w3\nquorum g\n`,
        [
          ['w1', 'w3'],
          ['w1', 'w2', 'w3'],
        ],
        [['w2'], []],
      ),
      good(
        'nested',
        'Groups of groups, one of which is called like a keyword',
        nested,
        [['w1', 'w2', 'y']],
        [
          ['w1', 'w2', 'w3'],
          ['w1', 'y'],
          ['X', 'all'],
        ],
      ),
      good(
        'later-lines',
        'Lines after the quorum, which may not be what it needs',
        `${first}quorum a\nlog ${log.vkey}\n${second}`,
        [['a']],
        [['b']],
      ),
      good(
        'white-space',
        'Tabs, spaces, empty lines, comments',
        `\n  # one\t\u00e9\n\t witness\ta  ${w1.vkey}\t\n \t\nquorum   a \n`,
        [['a']],
        [[]],
      ),
      good('no-last-newline', 'A last line without its newline', `${first}quorum a`, [['a']], [[]]),
      good(
        'kelvin',
        'Names are bytes: the sign for kelvin is not the letter K',
        `witness K ${w1.vkey}\nwitness \u212a ${w2.vkey}\nquorum \u212a\n`,
        [['\u212a']],
        [['K']],
      ),
      good(
        'ml-dsa',
        'A witness of another kind of key',
        `witness pq ${mlDsa.vkey}\nquorum pq\n`,
        [['pq']],
        [[]],
      ),
      bad('empty', 'Nothing', '', 'policy_quorum_absent'),
      bad('no-quorum', 'No line about the quorum', `log ${log.vkey}\n`, 'policy_quorum_absent'),
      bad('two-quorums', 'Two of them', 'quorum none\nquorum none\n', 'policy_quorum_repeated', 2),
      bad('quorum-unknown', 'A quorum of a name that is not defined', 'quorum a\n', 'policy_name_unknown', 1),
      bad(
        'quorum-before',
        'A quorum of a name that is defined later',
        `quorum a\n${first}`,
        'policy_name_unknown',
        1,
      ),
      bad('quorum-bare', 'A quorum of nothing', 'quorum\n', 'policy_line_malformed', 1),
      bad(
        'quorum-of-two',
        'A quorum of two names',
        `${first}${second}quorum a b\n`,
        'policy_line_malformed',
        3,
      ),
      bad('keyword', 'An unknown keyword', 'Quorum none\n', 'policy_line_malformed', 1),
      bad(
        'carriage-return',
        'Lines that end as on Windows',
        'quorum none\r\n',
        'policy_character_forbidden',
        1,
      ),
      bad(
        'delete',
        'A control character in a comment',
        '# \u007f\nquorum none\n',
        'policy_character_forbidden',
        1,
      ),
      bad('log-bare', 'A log without a key', 'log\nquorum none\n', 'policy_line_malformed', 1),
      bad(
        'log-long',
        'A log with too much',
        `log ${log.vkey} a b\nquorum none\n`,
        'policy_line_malformed',
        1,
      ),
      bad(
        'key-id',
        'A key whose id is another one',
        `log ${log.vkey.replace('log/2026', 'log/2027')}\nquorum none\n`,
        'policy_key_malformed',
        1,
      ),
      bad(
        'key-cut',
        'A key that is cut off',
        `log ${log.vkey.slice(0, -4)}\nquorum none\n`,
        'policy_key_malformed',
        1,
      ),
      bad(
        'log-of-witness-key',
        'A log with the key of a witness',
        `log ${w1.vkey}\nquorum none\n`,
        'policy_key_type_wrong',
        1,
      ),
      bad(
        'witness-of-log-key',
        'A witness with the key of a log',
        `witness a ${log.vkey}\nquorum none\n`,
        'policy_key_type_wrong',
        1,
      ),
      bad(
        'log-twice',
        'A log twice',
        `log ${log.vkey}\nlog ${log.vkey}\nquorum none\n`,
        'policy_key_repeated',
        2,
      ),
      bad(
        'witness-key-twice',
        'A witness under two names',
        `${first}witness b ${noteKey('alias.example', 4, pairs[0]).vkey}\nquorum none\n`,
        'policy_key_repeated',
        2,
      ),
      bad(
        'name-twice',
        'Two witnesses of one name',
        `${first}witness a ${w2.vkey}\nquorum none\n`,
        'policy_name_repeated',
        2,
      ),
      bad(
        'name-none',
        'A witness called none',
        `witness none ${w1.vkey}\nquorum none\n`,
        'policy_name_repeated',
        1,
      ),
      bad(
        'group-name-twice',
        'A group with the name of a witness',
        `${first}group a all a\nquorum a\n`,
        'policy_name_repeated',
        2,
      ),
      bad(
        'group-of-none',
        'A group of none',
        `${first}group g all none\nquorum g\n`,
        'policy_name_unknown',
        2,
      ),
      bad(
        'group-of-itself',
        'A group of itself',
        `${first}group g any a g\nquorum g\n`,
        'policy_name_unknown',
        2,
      ),
      bad(
        'group-empty',
        'A group without members',
        `${first}group g all\nquorum g\n`,
        'policy_line_malformed',
        2,
      ),
      bad('member-twice', 'A member twice', `${first}group g 1 a a\nquorum g\n`, 'policy_member_repeated', 2),
      bad(
        'member-of-two',
        'A member of two groups',
        `${first}group g any a\ngroup h any a\nquorum g\n`,
        'policy_member_repeated',
        3,
      ),
      bad(
        'threshold-0',
        'A group of which none is needed',
        `${first}group g 0 a\nquorum g\n`,
        'policy_threshold_wrong',
        2,
      ),
      bad(
        'threshold-over',
        'A group of which more are needed than it has',
        `${first}group g 2 a\nquorum g\n`,
        'policy_threshold_wrong',
        2,
      ),
      bad(
        'threshold-word',
        'A threshold that is no number',
        `${first}group g one a\nquorum g\n`,
        'policy_threshold_wrong',
        2,
      ),
    ];
  }

  function checkpoints(): CheckpointVector[] {
    const root = sha256(Buffer.from('root'));
    const body = bodyOf(5, root);
    const own = logLine(body, log);
    const good = (
      id: string,
      title: string,
      text: string,
      lines = logLine(text, log),
      size = 5,
    ): CheckpointVector => ({
      id,
      title,
      logs: [log.vkey],
      note: `${text}\n${lines}`,
      expect: { valid: true, origin: ORIGIN, size, root: base64(root) },
    });
    const bad = (id: string, title: string, reason: string, note: string): CheckpointVector => ({
      id,
      title,
      logs: [log.vkey],
      note,
      expect: { valid: false, reason },
    });
    const text = (id: string, title: string, changed: string) =>
      bad(id, title, 'checkpoint_malformed', `${changed}\n${logLine(changed, log)}`);
    const note = (id: string, title: string, changed: string) => bad(id, title, 'note_malformed', changed);
    const signed = `${body}\n${own}`;
    const forged = lineOf(log, sign(null, Buffer.from(bodyOf(6, root)), log.privateKey));
    return [
      good('plain', 'A checkpoint', body),
      good('empty-tree', 'Of an empty tree', bodyOf(0, root), undefined, 0),
      good(
        'large',
        'Of a tree of 2^53 - 1 leaves',
        bodyOf(Number.MAX_SAFE_INTEGER, root),
        undefined,
        Number.MAX_SAFE_INTEGER,
      ),
      good('extensions', 'With lines that say more', `${body}one\ntwo — three\n`),
      good(
        'unknown-key',
        'With a signature by a key that nobody knows',
        body,
        `${logLine(body, other)}${own}`,
      ),
      good(
        'same-name',
        'With a signature under the name of the log, by another id',
        body,
        `${own}${lineOf({ ...log, id: Buffer.of(1, 2, 3, 4) }, Buffer.alloc(64))}`,
      ),
      good(
        'sixteen',
        'With sixteen signatures',
        body,
        `${Array.from({ length: 15 }, () => lineOf(pqKey(), Buffer.alloc(64))).join('')}${own}`,
      ),
      bad(
        'another-log',
        'Of a log that nobody knows',
        'log_unknown',
        `${bodyOf(5, root, other.name)}\n${logLine(bodyOf(5, root, other.name), other)}`,
      ),
      bad(
        'signed-by-another',
        'Signed by another log',
        'log_checkpoint_signature_invalid',
        `${body}\n${logLine(body, other)}`,
      ),
      bad(
        'forged',
        'With the signature of another checkpoint',
        'log_checkpoint_signature_invalid',
        `${body}\n${forged}`,
      ),
      bad(
        'forged-too',
        'With a signature that matches and one that does not',
        'log_checkpoint_signature_invalid',
        `${body}\n${own}${forged}`,
      ),
      bad(
        'signature-short',
        'With a signature that is too short',
        'log_checkpoint_signature_invalid',
        `${body}\n${lineOf(log, Buffer.alloc(63))}`,
      ),
      bad(
        'body-changed',
        'Changed after it was signed',
        'log_checkpoint_signature_invalid',
        signed.replace('\n5\n', '\n6\n'),
      ),
      text('size-zeros', 'With a size that begins with 0', bodyOf('05', root)),
      text('size-negative', 'With a negative size', bodyOf('-5', root)),
      text('size-hex', 'With a size that is no decimal', bodyOf('0x5', root)),
      text('size-none', 'Without a size', `${ORIGIN}\n${base64(root)}\n`),
      text('origin-empty', 'With an empty origin', bodyOf(5, root, '')),
      text('root-short', 'With a root of 31 bytes', bodyOf(5, root.subarray(1))),
      text(
        'root-base64url',
        'With a root in another alphabet',
        `${ORIGIN}\n5\n${Buffer.alloc(32, 0xff).toString('base64url')}=\n`,
      ),
      text(
        'root-bits',
        'With a root whose base64 has bits left over',
        `${ORIGIN}\n5\n${base64(Buffer.alloc(32)).replace('A=', 'B=')}\n`,
      ),
      text('two-lines', 'Of two lines', `${ORIGIN}\n5\n`),
      text('extension-empty', 'With an empty line among those that say more', `${body}one\n\ntwo\n`),
      note('unsigned', 'Without signatures', `${body}\n`),
      note('no-blank', 'Without the blank line', `${body}${own}`),
      note('no-newline', 'Without its last newline', signed.slice(0, -1)),
      note('blank-after', 'With a blank line after its signatures', `${signed}\n`),
      note('hyphen', 'With a hyphen for the dash', signed.replace('—', '-')),
      note('two-spaces', 'With two spaces in a line', signed.replace(`— ${ORIGIN} `, `— ${ORIGIN}  `)),
      note('plus', 'With a plus in a name', signed.replace(`— ${ORIGIN}`, '— a+b')),
      note('space-in-name', 'With a space of Unicode in a name', signed.replace(`— ${ORIGIN}`, '— a\u00a0b')),
      note('carriage-return', 'With lines that end as on Windows', signed.replaceAll('\n', '\r\n')),
      note('tab', 'With a tab', `${body}a\tb\n\n${own}`),
      note(
        'base64-unpadded',
        'With base64 without padding',
        signed.replace('=\n', '\n').replace(/=\n$/, '\n'),
      ),
      note('key-id-only', 'With a signature of no bytes', `${body}\n${lineOf(log)}`),
    ];
  }

  function pqKey(): { name: string; id: Buffer } {
    return { name: 'pq.example', id: mlDsa.id };
  }

  function cosignatures(): CosignatureVector[] {
    const body = bodyOf(5, sha256(Buffer.from('root')));
    const own = logLine(body, log);
    const of = (
      id: string,
      title: string,
      lines: string,
      expect: CosignatureVector['expect'],
      text = body,
    ): CosignatureVector => ({
      id,
      title,
      logs: [log.vkey],
      witnesses: [w1.vkey, w2.vkey],
      note: `${text}\n${text === body ? own : logLine(text, log)}${lines}`,
      expect,
    });
    const good = (...cosigned: [NoteKey, number][]) => ({
      valid: true as const,
      cosignatures: cosigned.map(([{ name }, timestamp]) => ({ name, timestamp })),
    });
    const wrong = { valid: false as const, reason: 'log_checkpoint_signature_invalid' };
    const line = cosignature(body, w1, T);
    const extended = `${body}more\n`;
    return [
      of('none', 'No cosignature', '', good()),
      of('one', 'One witness', line, good([w1, T])),
      of('two', 'Two witnesses', line + cosignature(body, w2, T + 5), good([w1, T], [w2, T + 5])),
      of('unknown', 'A witness that nobody knows', line + cosignature(body, w3, T), good([w1, T])),
      of('time-0', 'At time 0', cosignature(body, w1, 0), good([w1, 0])),
      of(
        'extension',
        'Of a checkpoint with a line more',
        cosignature(extended, w1, T),
        good([w1, T]),
        extended,
      ),
      of(
        'ml-dsa',
        'One by ML-DSA-44, which may be ignored',
        `${line}${lineOf(pqKey(), Buffer.alloc(2428))}`,
        good([w1, T]),
      ),
      of(
        'name-of-another',
        'Under the name of another witness',
        cosignature(body, { ...w3, name: w1.name }, T),
        good(),
      ),
      of('time-changed', 'With another time than was signed', cosignature(body, w1, T, T + 1), wrong),
      of('another-checkpoint', 'Of another checkpoint', cosignature(bodyOf(6, sha256()), w1, T), wrong),
      of(
        'without-extension',
        'Of the checkpoint without its line more',
        cosignature(body, w1, T),
        wrong,
        extended,
      ),
      of('as-note', 'The text alone signed, without a time', logLine(body, w1), wrong),
      of(
        'as-note-with-time',
        'The text alone signed, with a time',
        lineOf(w1, Buffer.alloc(8), sign(null, Buffer.from(body), w1.privateKey)),
        wrong,
      ),
      of('short', 'Of too few bytes', lineOf(w1, Buffer.alloc(71)), wrong),
      of(
        'long',
        'Of too many bytes',
        lineOf(w1, Buffer.from(line.split(' ')[2] ?? '', 'base64').subarray(4), Buffer.alloc(3)),
        wrong,
      ),
      of('time-over', 'At a time over 2^63 - 1', lineOf(w1, Buffer.alloc(8, 0xff), Buffer.alloc(64)), wrong),
      of(
        'one-wrong',
        'One that matches and one that does not',
        line + cosignature(body, w2, T, T + 1),
        wrong,
      ),
    ];
  }

  function proofText(
    entries: readonly Uint8Array[],
    index: number,
    extra: Uint8Array | undefined,
    witnesses: NoteKey[],
    key = log,
  ): string {
    const text = bodyOf(entries.length, rootOf(entries), key.name);
    const lines = [logLine(text, key), ...witnesses.map((witness, at) => cosignature(text, witness, T + at))];
    const head = ['c2sp.org/tlog-proof@v1', ...(extra ? [`extra ${base64(extra)}`] : []), `index ${index}`];
    return `${[...head, ...pathOf(entries, index).map(base64)].join('\n')}\n\n${text}\n${lines.join('')}`;
  }

  function policyText(quorum: string, key = log): string {
    const witnesses = [w1, w2, w3].map(({ vkey }, at) => `witness w${at + 1} ${vkey}\n`).join('');
    return `log ${key.vkey}\n${witnesses}group two 2 w1 w2 w3\nquorum ${quorum}\n`;
  }

  function proofs(): LogProofVector[] {
    const entries = Array.from({ length: 11 }, (_, at) => Buffer.from(`entry ${at}`));
    const entry = entries[4] as Buffer;
    const made = (witnesses: NoteKey[] = [w1, w2], extra?: Uint8Array) =>
      proofText(entries, 4, extra, witnesses);
    const of = (
      id: string,
      title: string,
      text: string,
      expect: LogProofVector['expect'],
      changes: Partial<LogProofVector> = {},
    ): LogProofVector => ({
      id,
      title,
      policy: policyText('two'),
      entry: base64(entry),
      proof: text,
      expect,
      ...changes,
    });
    const found = (cosigned: string[], quorum: boolean, index = 4, size = 11) => ({
      valid: true as const,
      origin: ORIGIN,
      index,
      size,
      cosigned,
      quorum,
    });
    const bad = (reason: string) => ({ valid: false as const, reason });
    const malformed = (id: string, title: string, text: string) =>
      of(id, title, text, bad('log_proof_malformed'));
    const plain = made();
    const path = pathOf(entries, 4);
    const [first = '', second = ''] = path.map(base64);
    const at = (index: number) => ({ entry: base64(entries[index] as Buffer) });
    const single = [Buffer.from('alone')];
    return [
      of('plain', 'An entry, and two of three witnesses', plain, found(['w1', 'w2'], true)),
      of(
        'extra',
        'With extra data, which mean nothing here',
        made([w1, w3], Buffer.of(0xff)),
        found(['w1', 'w3'], true),
      ),
      of('one-witness', 'Too few witnesses', made([w2]), found(['w2'], false)),
      of('no-quorum', 'A policy that requires no witness', made([]), found([], true), {
        policy: policyText('none'),
      }),
      of(
        'first',
        'The first entry',
        proofText(entries, 0, undefined, [w1, w2]),
        found(['w1', 'w2'], true, 0),
        at(0),
      ),
      of(
        'last',
        'The last entry, whose path is shorter',
        proofText(entries, 10, undefined, [w1, w2]),
        found(['w1', 'w2'], true, 10),
        at(10),
      ),
      of(
        'alone',
        'The only entry of its log',
        proofText(single, 0, undefined, [w1, w2]),
        found(['w1', 'w2'], true, 0, 1),
        { entry: base64(single[0] as Buffer) },
      ),
      of('another-entry', 'Of another entry', plain, bad('log_inclusion_invalid'), at(5)),
      of(
        'another-index',
        'With another index',
        plain.replace('index 4', 'index 5'),
        bad('log_inclusion_invalid'),
      ),
      of(
        'index-over',
        'With an index that the tree does not have',
        plain.replace('index 4', 'index 11'),
        bad('log_inclusion_invalid'),
      ),
      of('path-short', 'With a hash too few', plain.replace(`${first}\n`, ''), bad('log_inclusion_invalid')),
      of(
        'path-long',
        'With a hash too many',
        plain.replace(first, `${first}\n${first}`),
        bad('log_inclusion_invalid'),
      ),
      of(
        'path-swapped',
        'With two hashes in each other’s place',
        plain.replace(`${first}\n${second}`, `${second}\n${first}`),
        bad('log_inclusion_invalid'),
      ),
      of(
        'node-as-entry',
        'Of an inner node as if it were an entry',
        plain.replace(/index 4\n.*\n/, 'index 2\n'),
        bad('log_inclusion_invalid'),
        {
          entry: base64(Buffer.concat([Buffer.of(1), leafHash(entry), leafHash(entries[5] as Buffer)])),
        },
      ),
      of('log-unknown', 'Of a log that the policy does not name', plain, bad('log_unknown'), {
        policy: policyText('none', other),
      }),
      of(
        'log-forged',
        'Not signed by its log',
        plain.replace(/(— cert\S+) .*/, `$1 ${base64(Buffer.concat([log.id, Buffer.alloc(64)]))}`),
        bad('log_checkpoint_signature_invalid'),
      ),
      of(
        'witness-forged',
        'Not cosigned by a witness that it names',
        plain.replace(/(— w2\S+) .*/, `$1 ${base64(Buffer.concat([w2.id, Buffer.alloc(72)]))}`),
        bad('log_checkpoint_signature_invalid'),
      ),
      malformed('version', 'Of another version', plain.replace('@v1', '@v2')),
      malformed('no-index', 'Without an index', plain.replace('index 4\n', '')),
      malformed('index-zeros', 'With an index that begins with 0', plain.replace('index 4', 'index 04')),
      malformed('extra-empty', 'With an empty line of extra data', plain.replace('index', 'extra \nindex')),
      malformed(
        'extra-after',
        'With extra data after the index',
        plain.replace('index 4\n', 'index 4\nextra AA==\n'),
      ),
      malformed('hash-short', 'With a hash of 31 bytes', plain.replace(first, base64(Buffer.alloc(31)))),
      malformed('no-blank', 'Without the blank line', plain.replace('\n\n', '\n').split('\n\n')[0] ?? ''),
      malformed('no-checkpoint', 'Without a checkpoint', `${plain.split('\n\n')[0]}\n\n`),
      malformed(
        'sixty-five',
        'With 65 hashes',
        plain.replace(first, Array.from({ length: 65 }, () => first).join('\n')),
      ),
    ];
  }

  function certificates(): CertificateLogVector[] {
    const jwt = proof(keys.issuer);
    const leafOf = (changes: object = {}) => {
      const leaf: Record<string, unknown> = {
        domain: 'shop.example',
        exp: ISSUED_AT + WEEK,
        iat: ISSUED_AT,
        kid: keys.issuer.kid,
        kind: 'product',
        proof: base64url(sha256(Buffer.from(jwt))),
        subject: base64url(
          sha256(Buffer.alloc(16), Buffer.from('product:09fa6079-90af-4a0f-9af0-e09fc1f90ae7')),
        ),
        v: 1,
        ...changes,
      };
      return Buffer.from(
        JSON.stringify(
          leaf,
          Object.keys(leaf)
            .filter((name) => leaf[name] !== undefined)
            .toSorted(),
        ),
      );
    };
    const logged = (leaf: Buffer, witnesses: NoteKey[] = [w1, w2], key = log) =>
      proofText(
        [...Array.from({ length: 9 }, (_, at) => Buffer.from(`entry ${at}`)), leaf, Buffer.from('last')],
        9,
        leaf,
        witnesses,
        key,
      );
    const of = (
      id: string,
      title: string,
      status: string | null,
      reason: string,
      changes: Partial<CertificateLogVector> = {},
    ): CertificateLogVector => ({
      id,
      title,
      jwt,
      logProof: logged(leafOf()),
      policy: policyText('two'),
      expect: { status, reason },
      ...changes,
    });
    const differs = (id: string, title: string, leaf: object) =>
      of(id, title, 'invalid', 'log_leaf_differs', { logProof: logged(leafOf(leaf)) });
    const year = noteKey(ORIGIN.replace('2026', '2025'), 1);
    const open = leafOf();
    const { logProof: _, ...absent } = of(
      'absent',
      'A certificate that says nothing',
      null,
      'log_proof_absent',
    );
    return [
      of('witnessed', 'A certificate whose proof is logged and witnessed', 'witnessed', 'witnessed'),
      of('not-witnessed', 'Too few witnesses', 'logged', 'logged_not_witnessed', {
        logProof: logged(open, [w3]),
      }),
      of('no-quorum', 'A policy that requires no witness', 'logged', 'logged_not_witnessed', {
        policy: policyText('none'),
      }),
      of('domain-hidden', 'A merchant that hides its domain', 'witnessed', 'witnessed', {
        logProof: logged(leafOf({ domain: undefined, domainHash: base64url(sha256(Buffer.from('salted'))) })),
      }),
      absent,
      of('policy-other', 'A policy of another log', null, 'log_unknown', {
        policy: policyText('none', other),
      }),
      differs('another-domain', 'An entry about another host', { domain: 'other.example' }),
      differs('another-kind', 'An entry about an image', { kind: 'asset' }),
      differs('another-key', 'An entry about another key', { kid: 'other' }),
      differs('another-iat', 'An entry about another time of issue', { iat: ISSUED_AT - 1 }),
      differs('another-exp', 'An entry about another end', { exp: ISSUED_AT + WEEK + 1 }),
      differs('version', 'An entry of another form', { v: 2 }),
      differs('both-hosts', 'An entry with a domain that it also hides', { domainHash: base64url(sha256()) }),
      differs('member-added', 'An entry with a member more', { name: 'Kettle' }),
      of('another-proof', 'The entry of another proof', 'invalid', 'log_leaf_differs', {
        jwt: proof(keys.issuer, { productId: OTHER_PRODUCT_ID }),
      }),
      of('spaced', 'An entry that is not in canonical form', 'invalid', 'log_leaf_differs', {
        logProof: logged(Buffer.from(open.toString().replace(',"exp"', ', "exp"'))),
      }),
      of('another-year', 'An entry in the log of another year', 'invalid', 'log_year_differs', {
        logProof: logged(open, [], year),
        policy: policyText('none', year),
      }),
      of('not-included', 'An entry at another place', 'invalid', 'log_inclusion_invalid', {
        logProof: logged(open).replace('index 9', 'index 8'),
      }),
      of('no-entry', 'Without its entry', 'invalid', 'log_proof_malformed', {
        logProof: logged(open).replace(/extra .*\n/, ''),
      }),
      of('text', 'Some text', 'invalid', 'log_proof_malformed', { logProof: `Logged at ${ISSUER}` }),
      of(
        'signature',
        'A checkpoint that the log has not signed',
        'invalid',
        'log_checkpoint_signature_invalid',
        {
          logProof: logged(open).replace(
            /(— cert\S+) .*/,
            `$1 ${base64(Buffer.concat([log.id, Buffer.alloc(64)]))}`,
          ),
        },
      ),
    ];
  }
}
