import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { type FeedPart, rewriteItems, type SourceForm, textEncoder } from '@touchstone/catalogue';
import { verifyProductCertificate } from '@touchstone/certificate';
import { type Command, Option } from 'commander';
import { CliError, cannotTell, EXIT, type ExitCode, usage } from '../../cli-error.ts';
import { assertReadable, codeOf, nameOf, openInput } from '../../files.ts';
import { createProgress } from '../../output/progress.ts';
import { counted, type Paint, type Style, safe, safeJsonLine, table } from '../../output/text.ts';
import { pullFirst } from '../../pull/pull-first.ts';
import type { Session } from '../../session.ts';
import { type GlobalOptions, nonEmpty } from '../../settings.ts';
import { trustOptions } from '../../verify/options.ts';
import { readTrust, type TrustOptions } from '../../verify/trust.ts';
import { type Certifying, certifyPart, type Outcome, type WrittenPart } from './certify-rows.ts';
import { FeedCertificates } from './feed-certificates.ts';
import { shown } from './item-lines.ts';
import { nodePrimitives } from './node-crypto.ts';

interface CertifyOptions extends GlobalOptions, TrustOptions {
  readonly out: string;
  readonly certificates: string;
  readonly store?: string;
  readonly source?: string;
  readonly all?: boolean;
  readonly key?: string;
}

export function addFeedCertify(feed: Command, session: Session): void {
  const certify = feed
    .command('certify')
    .description(
      'Write the current certificates of a store into the items of its feed; every other byte is kept. An item that differs from what was signed gets none.',
    )
    .argument('<in>', 'JSON (list or lines), Google XML or table, also compressed; - for standard input')
    .requiredOption('--out <file>', 'the feed with certificates; it is replaced when all of it is written')
    .requiredOption('--certificates <folder>', 'the folder written by "certificates pull"')
    .option('--store <uuid>', 'pull the certificates of this store first')
    .option(
      '--source <url>',
      'address of the shop, for products of Shopify, which state no addresses of their pages',
    )
    .option('--all', 'also print the items that were certified')
    .action((target: string, _: unknown, command: Command) =>
      certifyFeed(session, target, command.optsWithGlobals<CertifyOptions>()),
    );
  for (const option of trustOptions()) certify.addOption(option);
  certify.addOption(new Option('--key <key>', 'API key (TOUCHSTONE_KEY), for --store'));
}

/** Parts that are worked on at a time. */
const AT_ONCE = 64;

async function certifyFeed(session: Session, target: string, options: CertifyOptions): Promise<void> {
  const { io, paint } = session;
  const { out, certificates: folder } = options;
  if (out === '-') throw usage('The feed is written to a file: give its name with --out.');
  if (target !== '-' && (await io.isSameFile(target, out)))
    throw usage(`${out} is the feed itself: give another file with --out.`);
  await assertReadable(target, io);
  if (options.store !== undefined) await pullFirst(session, options, options.store);
  const certificates = await FeedCertificates.read(folder, io);
  const certifying = { certificates, verify: await verifierOf(session, options, certificates) };
  const form: SourceForm = {};
  const tally = new Map<string, number>();
  const progress = createProgress(io, 'items');
  let items = 0;
  const tell = ({ told }: WrittenPart) => {
    if (told === undefined) return;
    // a feed that cannot be read to its end would lose what follows
    if ('problem' in told && told.problem.row === 0)
      throw cannotTell(
        'feed_unreadable',
        `${nameOf(target)}: ${told.problem.reason} ${out} was not written.`,
      );
    const code = 'problem' in told ? told.problem.code : told.outcome;
    tally.set(code, (tally.get(code) ?? 0) + 1);
    items++;
    progress.update({ done: items, failed: 0 });
    const isShown = options.json === true || code !== 'certified' || options.all === true;
    if (isShown) progress.end();
    if (options.json === true)
      io.stdout.write(`${safeJsonLine('problem' in told ? { problem: told.problem } : told)}\n`);
    else if (code !== 'certified' || options.all === true) io.stdout.write(textOf(told, paint));
  };
  const parts = rewriteItems(openInput(target, io), {
    form,
    ...(options.source === undefined ? {} : { source: options.source }),
  });
  await io
    .replaceFile(out, packed(encoded(certified(parts, certifying, io.stop, tell), form, target), form))
    .catch((error: unknown) => {
      throw asWriteError(error, out);
    })
    .finally(() => progress.end());
  const summary = `${counted(items, 'item')} read, ${tally.get('certified') ?? 0} certified in ${safe(out)}.\n${table(
    [...tally]
      .toSorted(([, a], [, b]) => b - a)
      .map(([code, count]) => [String(count).padStart(String(items).length), code]),
  )}`;
  (options.json === true ? io.stderr : io.stdout).write(summary);
  session.exitCode = exitOf(tally);
}

/** Verifies by the issuers that are trusted, else by the service that the folder was pulled from. */
async function verifierOf(
  { io }: Session,
  options: CertifyOptions,
  { service }: FeedCertificates,
): Promise<Certifying['verify']> {
  const isNamed = options.issuer !== undefined || nonEmpty(io.env.TOUCHSTONE_ISSUER) !== undefined;
  const trust = await readTrust(isNamed ? options : { ...options, issuer: [service] }, io, nodePrimitives());
  const now = io.now();
  return (document, pageUrl) => verifyProductCertificate(document, { trust, now, pageUrl });
}

/** The parts of the feed as they are written, in their order. */
async function* certified(
  parts: AsyncIterable<FeedPart>,
  certifying: Certifying,
  stop: AbortSignal,
  tell: (part: WrittenPart) => void,
): AsyncGenerator<string, void, undefined> {
  const present: Promise<WrittenPart>[] = [];
  const finish = async () => {
    if (stop.aborted) throw cannotTell('stopped', 'Stopped. Nothing was written.');
    const written = await Promise.all(present.splice(0));
    for (const part of written) tell(part);
    return written.map(({ text }) => text).join('');
  };
  for await (const part of parts) {
    present.push(certifyPart(part, certifying));
    if (present.length >= AT_ONCE) yield await finish();
  }
  yield await finish();
}

/** The texts in the encoding of the feed. */
async function* encoded(
  texts: AsyncIterable<string>,
  form: SourceForm,
  target: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let encode: ((text: string) => Uint8Array) | null | undefined;
  for await (const text of texts) {
    if (encode === undefined) {
      encode = textEncoder(form);
      if (form.hasMark === true) yield encode?.('\uFEFF') ?? new Uint8Array();
    }
    if (encode === null)
      throw usage(`${nameOf(target)} is encoded in ${form.encoding ?? 'an unknown way'}: save it as UTF-8.`);
    if (text !== '') yield encode(text);
  }
}

/** The same bytes, compressed as the feed was. */
async function* packed(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  form: SourceForm,
): AsyncGenerator<Uint8Array, void, undefined> {
  const first = await chunks.next();
  if (first.done === true) return;
  const all = (async function* () {
    yield first.value;
    yield* chunks;
  })();
  if (form.isPacked !== true) return yield* all;
  const gzip = createGzip();
  // an error of the chunks ends the reading of what is compressed
  pipeline(Readable.from(all, { objectMode: false }), gzip, () => {});
  yield* gzip;
}

function asWriteError(error: unknown, out: string): unknown {
  if (error instanceof CliError || codeOf(error) === undefined) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return cannotTell('output_not_written', `${out} cannot be written: ${reason}`);
}

function exitOf(tally: ReadonlyMap<string, number>): ExitCode {
  const codes = new Set(tally.keys());
  codes.delete('certified' satisfies Outcome);
  const isMissing = codes.delete('no_certificate' satisfies Outcome);
  if (codes.size > 0) return EXIT.failed;
  return isMissing ? EXIT.unverified : EXIT.verified;
}

const STYLE_OF: Readonly<Record<Outcome, Style>> = {
  certified: 'good',
  no_certificate: 'unsure',
  differs: 'bad',
  not_verified: 'bad',
  no_place: 'bad',
};

function textOf(told: NonNullable<WrittenPart['told']>, paint: Paint): string {
  if ('problem' in told)
    return `row ${told.problem.row}  ${paint('bad', 'NOT READ')}  ${safe(told.problem.reason)}\n`;
  const { row, outcome, id, name, conclusion, fields = {} } = told;
  const names = [id, name].flatMap((text) => (text === undefined ? [] : [safe(text)])).join('  ');
  const why = outcome === 'not_verified' ? ` (${safe(conclusion ?? '')})` : '';
  const differing = Object.entries(fields).map(
    ([field, { signed, stated }]) => `    ${field}: signed ${shown(signed)}, stated ${shown(stated)}\n`,
  );
  return `row ${row}  ${paint(STYLE_OF[outcome], outcome)}${why}  ${names}\n${differing.join('')}`;
}
