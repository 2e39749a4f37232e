import { type ItemRow, readItems } from '@touchstone/catalogue';
import { verifyProductCertificate } from '@touchstone/certificate';
import { verifyItemBy } from '@touchstone/certificate/item';
import { pageNote } from '@touchstone/page';
import type { Command } from 'commander';
import { cannotTell, EXIT } from '../../cli-error.ts';
import { assertReadable, openInput } from '../../files.ts';
import type { Io } from '../../io.ts';
import { counted } from '../../output/text.ts';
import type { Session } from '../../session.ts';
import type { GlobalOptions } from '../../settings.ts';
import { sourceOptions, trustOptions } from '../../verify/options.ts';
import { type SourceOptions, streamFeed } from '../../verify/source.ts';
import { readTrust, type TrustOptions } from '../../verify/trust.ts';
import { readWithdrawal, type WithdrawalOptions, withdrawalOptions } from '../../verify/withdrawal.ts';
import { addFeedCertify } from './feed-certify.ts';
import { FeedTally, jsonLine, textLines, type VerifiedRow } from './item-lines.ts';
import { nodePrimitives } from './node-crypto.ts';

interface FeedOptions extends GlobalOptions, TrustOptions, SourceOptions, WithdrawalOptions {
  readonly source?: string;
  readonly all?: boolean;
}

export function addFeed(program: Command, session: Session): void {
  const feed = program.command('feed').description('Product feeds, and the certificates in them.');
  const verify = feed
    .command('verify')
    .description(
      'Verify each item of a feed locally: its certificate, and field by field whether it agrees. No page is fetched, so check the pages that you rely on.',
    )
    .argument('<file|url>', 'JSON (list or lines), Google XML or table; - for standard input; or an address')
    .option('--source <url>', 'who offers the items (default: the address of the feed)')
    .option('--all', 'also print the items that agree with what was signed')
    .action((target: string, _: unknown, command: Command) =>
      verifyFeed(session, target, command.optsWithGlobals<FeedOptions>()),
    );
  for (const option of [...trustOptions(), ...withdrawalOptions(), ...sourceOptions()])
    verify.addOption(option);
  addFeedCertify(feed, session);
}

/** Items that are verified at a time. */
const AT_ONCE = 64;

async function verifyFeed(session: Session, target: string, options: FeedOptions): Promise<void> {
  const { io, paint } = session;
  const isAddress = /^https?:\/\//i.test(target);
  if (!isAddress) await assertReadable(target, io);
  const source = options.source ?? (isAddress ? target : undefined);
  const trust = await readTrust(options, io, nodePrimitives());
  const tellWithdrawal = await readWithdrawal(options, trust, io);
  const now = io.now();
  const verify = async (document: unknown, pageUrl: string) => {
    const result = await verifyProductCertificate(document, { trust, now, pageUrl });
    return tellWithdrawal(result, document, result.signed?.issuer, now);
  };
  const verified = async (row: ItemRow): Promise<VerifiedRow> =>
    'problem' in row ? row : { row: row.row, result: await verifyItemBy(row.item, { verify, source }) };
  const tally = new FeedTally();
  const read = async (feed: AsyncIterable<Uint8Array>) => {
    for await (const rows of inPieces(readItems(feed, { source }))) {
      if (io.stop.aborted) throw cannotTell('stopped', 'Stopped.');
      for (const row of await Promise.all(rows.map(verified))) {
        const exit = tally.add(row);
        if (options.json === true) io.stdout.write(jsonLine(row));
        else if (exit !== EXIT.verified || options.all === true) io.stdout.write(textLines(row, paint));
      }
    }
  };
  if (isAddress) await readAddress(target, read, options, io);
  else await read(openInput(target, io));
  const summary = `${counted(tally.rows, 'row')} read.\n${tally.summary()}`;
  (options.json === true ? io.stderr : io.stdout).write(summary);
  session.exitCode = tally.exitCode;
}

async function readAddress(
  url: string,
  read: (feed: AsyncIterable<Uint8Array>) => Promise<void>,
  options: FeedOptions,
  io: Io,
): Promise<void> {
  const failed = await streamFeed(url, read, options, io);
  if (failed === undefined) return;
  throw cannotTell('feed_unavailable', `The feed was not fetched: ${pageNote(failed.code, failed.detail)}`);
}

async function* inPieces<T>(rows: AsyncIterable<T>): AsyncGenerator<readonly T[], void, undefined> {
  let piece: T[] = [];
  for await (const row of rows) {
    piece.push(row);
    if (piece.length < AT_ONCE) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}
