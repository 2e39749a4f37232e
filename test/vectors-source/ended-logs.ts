import type { CertificateLogVector, LogVectorFile } from '../kit/log-vectors.ts';
import type { Keys } from './keys.ts';
import {
  base64,
  base64url,
  bodyOf,
  cosignature,
  logLine,
  type NoteKey,
  noteKey,
  ORIGIN,
  pathOf,
  rootOf,
  sha256,
  T,
} from './log-notes.ts';
import { ISSUED_AT, PRODUCT_ID, proof, WEEK } from './tokens.ts';

/** When the key of the log was revoked: after the cosignatures by default, which are of `T`. */
const ENDED_AT = T + 3_600;

type Signed = readonly [witness: NoteKey, time?: number];

/** The vectors of logs that ended, since their key was revoked, and of those that followed them. */
export function endedLogs(keys: Keys): LogVectorFile<CertificateLogVector> {
  const log = noteKey(ORIGIN, 1);
  const successor = noteKey(`${ORIGIN}-2`, 1);
  const other = noteKey(ORIGIN, 1);
  const [w1, w2, w3] = [1, 2, 3].map((at) => noteKey(`w${at}.example`, 4)) as [NoteKey, NoteKey, NoteKey];
  const jwt = proof(keys.issuer);
  const leaf = Buffer.from(
    JSON.stringify({
      domain: 'shop.example',
      exp: ISSUED_AT + WEEK,
      iat: ISSUED_AT,
      kid: keys.issuer.kid,
      kind: 'product',
      proof: base64url(sha256(Buffer.from(jwt))),
      subject: base64url(sha256(Buffer.alloc(16), Buffer.from(`product:${PRODUCT_ID}`))),
      v: 1,
    }),
  );
  const entry = (at: number) => Buffer.from(`entry ${at}`);
  /** The certificate is entry 4. */
  const entries = [0, 1, 2, 3].map(entry).concat(leaf, [5, 6, 7, 8].map(entry));
  const [early, last] = [entries.slice(0, 6), entries.slice(0, 8)];
  /** Of the same size and of other entries, as a thief of the key would sign it. */
  const forged = last.with(7, Buffer.from('forged'));

  function told(tree: readonly Buffer[], signed: readonly Signed[], key = log): string {
    const text = bodyOf(tree.length, rootOf(tree), key.name);
    const lines = [logLine(text, key), ...signed.map(([by, time = T]) => cosignature(text, by, time))];
    const head = [
      'c2sp.org/tlog-proof@v1',
      `extra ${base64(leaf)}`,
      'index 4',
      ...pathOf(tree, 4).map(base64),
    ];
    return `${head.join('\n')}\n\n${text}\n${lines.join('')}`;
  }

  /** The line about the log that ended. */
  const ended = (
    changes: {
      key?: NoteKey;
      at?: string | number;
      root?: string;
      witnessed?: string | number;
      more?: string;
    } = {},
  ) => {
    const {
      key = log,
      at = ENDED_AT,
      root = base64(rootOf(last)),
      witnessed = early.length,
      more = '',
    } = changes;
    return `#ended ${key.vkey} ${at} ${last.length} ${root} ${witnessed}${more}\n`;
  };
  const witnesses = [w1, w2, w3].map(({ vkey }, at) => `witness w${at + 1} ${vkey}\n`).join('');
  const policyOf = (lines: string, quorum = 'two') =>
    `${lines}${witnesses}group two 2 w1 w2 w3\nquorum ${quorum}\n`;

  const of = (
    id: string,
    title: string,
    logProof: string,
    expect: CertificateLogVector['expect'],
    policy = policyOf(ended()),
  ): CertificateLogVector => ({ id, title, jwt, logProof, policy, expect });
  const WITNESSED = { status: 'witnessed', reason: 'witnessed' };
  const LOGGED = { status: 'logged', reason: 'logged_not_witnessed' };
  const OVER = { status: null, reason: 'log_ended' };
  const UNKNOWN = { status: null, reason: 'log_unknown' };
  const two: readonly Signed[] = [[w1], [w2]];
  const cosigned = told(early, two);
  const comment = (id: string, title: string, line: string) =>
    of(`line-${id}`, title, told(last, two), UNKNOWN, policyOf(line));

  const vectors = [
    of('last', 'The last checkpoint, which the policy names', told(last, []), LOGGED),
    of(
      'last-no-quorum',
      'The same by a policy that requires no witness',
      told(last, []),
      LOGGED,
      policyOf(ended(), 'none'),
    ),
    of('last-cosigned', 'The last checkpoint, cosigned by a quorum', told(last, two), WITNESSED),
    of(
      'last-cosigned-late',
      'The last checkpoint, cosigned after the key was revoked',
      told(last, [
        [w1, ENDED_AT + 1],
        [w3, ENDED_AT + 9],
      ]),
      WITNESSED,
    ),
    of(
      'early',
      'An earlier checkpoint that a quorum had cosigned before the key was revoked',
      cosigned,
      WITNESSED,
    ),
    of(
      'early-same-second',
      'The same, in the very second',
      told(early, [
        [w1, ENDED_AT],
        [w2, ENDED_AT],
      ]),
      WITNESSED,
    ),
    of(
      'early-late',
      'An earlier checkpoint, cosigned after the key was revoked',
      told(early, [
        [w1, ENDED_AT + 1],
        [w2, ENDED_AT + 1],
      ]),
      OVER,
    ),
    of('early-one-late', 'The same of one of the two', told(early, [[w1], [w2, ENDED_AT + 1]]), OVER),
    of('early-too-few', 'An earlier checkpoint without a quorum', told(early, [[w1]]), OVER),
    of('early-bare', 'An earlier checkpoint that only the log has signed', told(early, []), OVER),
    of(
      'early-no-quorum',
      'An earlier checkpoint, by a policy that requires no witness',
      cosigned,
      OVER,
      policyOf(ended(), 'none'),
    ),
    of(
      'early-above',
      'An earlier checkpoint above what the operator’s quorum had cosigned',
      cosigned,
      OVER,
      policyOf(ended({ witnessed: 5 })),
    ),
    of(
      'none-witnessed',
      'A policy by which no checkpoint was ever cosigned',
      cosigned,
      OVER,
      policyOf(ended({ witnessed: 0 })),
    ),
    of('forged', 'Another tree of the size of the last', told(forged, []), OVER),
    of(
      'forged-cosigned',
      'The same, cosigned in the past by a quorum that was deceived',
      told(forged, two),
      OVER,
    ),
    of('larger', 'A larger tree than the last', told(entries, []), OVER),
    of('larger-cosigned', 'The same, cosigned in the past', told(entries, two), OVER),
    of(
      'signature',
      'The last checkpoint, without its log’s signature',
      told(last, two).replace(/(— cert\S+) .*/, `$1 ${base64(Buffer.concat([log.id, Buffer.alloc(64)]))}`),
      { status: 'invalid', reason: 'log_checkpoint_signature_invalid' },
    ),
    of(
      'not-included',
      'The last checkpoint, at another index',
      told(last, two).replace('index 4', 'index 5'),
      { status: 'invalid', reason: 'log_inclusion_invalid' },
    ),
    of(
      'both',
      'A policy that has the log and its end',
      told(early, []),
      OVER,
      policyOf(`log ${log.vkey}\n${ended()}`),
    ),
    of(
      'both-reversed',
      'The same in the other order',
      told(early, []),
      OVER,
      policyOf(`${ended()}log ${log.vkey}\n`),
    ),
    of(
      'another-key',
      'Another key of the same origin, of which the policy has the log that ended',
      told(last, two, other),
      { status: 'invalid', reason: 'log_checkpoint_signature_invalid' },
    ),
    of(
      'successor',
      'The log that followed',
      told(last, two, successor),
      WITNESSED,
      policyOf(`${ended()}log ${successor.vkey}\n`),
    ),
    of(
      'successor-alone',
      'The log that ended, by a policy of its successor alone',
      told(last, two),
      UNKNOWN,
      policyOf(`log ${successor.vkey}\n`),
    ),
    of(
      'successor-ended',
      'The log that followed, and ended too',
      told(last, [], successor),
      LOGGED,
      policyOf(ended() + ended({ key: successor })),
    ),
    of(
      'successor-by-old-key',
      'The log that followed, signed with the revoked key',
      told(last, two, { ...log, name: successor.name }),
      { status: 'invalid', reason: 'log_checkpoint_signature_invalid' },
      policyOf(`${ended()}log ${successor.vkey}\n`),
    ),
    of(
      'with-address',
      'A line with the address of the files',
      told(last, []),
      LOGGED,
      policyOf(ended({ more: ` https://${ORIGIN}` })),
    ),
    of(
      'tabs',
      'A line with tabs, and others of which some are comments',
      told(last, []),
      LOGGED,
      policyOf(`# one\n\t${ended().replaceAll(' ', '\t')}#ended\n`),
    ),
    comment('alone', 'A line without items', '#ended\n'),
    comment('spaced', 'A comment that only begins alike', ended().replace('#ended', '# ended')),
    comment('another-word', 'Another word', ended().replace('#ended', '#endedlog')),
    comment('short', 'A line without the size that was cosigned', ended().replace(/ \d+\n$/, '\n')),
    comment('long', 'A line with too much', ended({ more: ' https://l.example/ more' })),
    comment('cosigned-over', 'More entries cosigned than the log has', ended({ witnessed: last.length + 1 })),
    comment('zeros', 'A time that begins with 0', ended({ at: `0${ENDED_AT}` })),
    comment('negative', 'A time below 0', ended({ at: -1 })),
    comment('fraction', 'A time with a fraction', ended({ at: `${ENDED_AT}.0` })),
    comment('root-short', 'A root of 31 bytes', ended({ root: base64(Buffer.alloc(31)) })),
    comment(
      'root-url',
      'A root in base64url without padding',
      ended({ root: base64url(Buffer.alloc(32, 0xff)) }),
    ),
    comment('witness-key', 'The key of a witness', ended({ key: noteKey(ORIGIN, 4) })),
    comment('key-id', 'A key whose id is another one', ended().replace('log/2026', 'log/2027')),
  ];
  return {
    name: 'ended',
    about:
      'What a certificate says about its place in a log that ended, since its key was revoked (`#ended` in the policy), and in its successor.',
    vectors,
  };
}
