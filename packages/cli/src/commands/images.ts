import type { FailedImage, ImageProgress, ImageReport } from '@touchstone/contract';
import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../cli-error.ts';
import type { ServiceClient } from '../client.ts';
import type { Progress } from '../output/progress.ts';
import { type Paint, safe } from '../output/text.ts';
import { watch } from '../output/watch.ts';
import { registryClient } from '../registry-client.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';
import { addImagesPull } from './images-pull.ts';

interface ImagesOptions extends GlobalOptions {
  readonly watch?: boolean;
  readonly retry?: boolean;
  readonly recheck?: boolean;
  readonly key?: string;
}

export function addImages(program: Command, session: Session): void {
  const images = program
    .command('images')
    .description("Show the progress of a store's images: scanned, certified, and failed with the reason.")
    .argument('<store-id>', 'the store')
    .option('--watch', 'wait until every image is scanned')
    .option('--retry', 'scan failed images again first')
    .option('--recheck', 'scan all images that are not certified again first, such as replaced files')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .action((storeId: string, _: unknown, command: Command) =>
      printImages(session, storeId, command.optsWithGlobals<ImagesOptions>()),
    );
  addImagesPull(images, session);
}

async function printImages(session: Session, storeId: string, options: ImagesOptions): Promise<void> {
  const { io, paint } = session;
  const client = registryClient(session, options);
  const of = { params: { store_id: storeId } };
  if (options.recheck) await client.call('retryFailedImages', { ...of, body: { which: 'uncertified' } });
  else if (options.retry) await client.call('retryFailedImages', of);
  const ask = () => client.call('getImageProgress', of);
  const counts = options.watch ? await watch(io, 'images', ask, showProgress) : await ask();
  // the first ones only; `counts` has their number
  const failed = counts.failed === 0 ? [] : (await client.call('listFailedImages', of)).images;
  const retried = await retriedImages(client, of, counts);
  const isSigning = uncertifiedOf(counts) > 0 && (await client.call('getStore', of)).signImages;
  const [unstamped] = await unstampedImages(client, of, counts);
  session.print(options, { ...counts, images: failed, retried }, () =>
    words(storeId, counts, { failed, retried, isSigning, unstamped }, paint),
  );
  session.exitCode = exitCodeOf(counts);
}

/** The first of the images that are being retried, each with its reason. */
async function retriedImages(
  client: ServiceClient,
  { params }: OfStore,
  { retrying }: ImageProgress,
): Promise<readonly ImageReport[]> {
  if (retrying === 0) return [];
  return (await client.call('listImages', { params, query: { state: 'retrying', limit: MOST_LISTED } }))
    .images;
}

/** An image that the service signed without a time stamp, if any. */
async function unstampedImages(
  client: ServiceClient,
  { params }: OfStore,
  { signedByUs }: ImageProgress,
): Promise<readonly ImageReport[]> {
  if (signedByUs === 0) return [];
  return (await client.call('listImages', { params, query: { state: 'unstamped', limit: 1 } })).images;
}

/** Maximum number of retried images that are listed. */
const MOST_LISTED = 20;

interface ListedImages {
  readonly failed: readonly FailedImage[];
  readonly retried: readonly ImageReport[];
  /** An image whose manifest stops validating when the signer's certificate expires. */
  readonly unstamped: ImageReport | undefined;
  /** Whether images without a manifest are signed for this store. */
  readonly isSigning: boolean;
}

type OfStore = { readonly params: { readonly store_id: string } };

/** Shows how many images are scanned. @returns whether none is waiting */
function showProgress({ done, failed, total, waiting }: ImageProgress, progress: Progress): boolean {
  progress.update({ done: done + failed, total, failed });
  return waiting === 0;
}

function words(
  storeId: string,
  counts: ImageProgress,
  { failed, retried, isSigning, unstamped }: ListedImages,
  paint: Paint,
): string {
  const { total, done, waiting, retrying, certified, signedByUs, notServed } = counts;
  const uncertified = uncertifiedOf(counts);
  const signed = signedByUs - notServed;
  const lines = [
    `${paint('strong', `${done} of ${total} images scanned`)}, ${waiting} waiting, ${counts.failed} failed${waiting > 0 ? ` (${counts.perSecond} a second)` : ''}`,
    `${certified} certified: ${certified - signed} by their own manifest, ${signed} signed by this service`,
    ...(notServed === 0
      ? []
      : [
          `${notServed} more are signed, but the shop does not serve the signed files yet, so they do not count:`,
          `touchstone images pull ${safe(storeId)} --to signed/ downloads them for upload`,
        ]),
    ...(unstamped === undefined
      ? []
      : [
          `Signed files without a time stamp are valid until the signing certificate expires${endOf(unstamped)}, unless they are signed again:`,
          `GET /api/v1/registry/stores/${safe(storeId)}/images?state=unstamped lists them`,
        ]),
    ...(retrying === 0 ? [] : [`${retrying} are retried:`]),
    ...retried.flatMap(({ url, problem }) =>
      problem === undefined
        ? []
        : [
            `${paint('unsure', safe(problem.code))} ${safe(url)}`,
            `  ${safe(problem.message)} ${nextAttempt(problem.nextAttemptAt)}`,
          ],
    ),
    ...(retrying > retried.length ? [`… and ${retrying - retried.length} more`] : []),
    ...(uncertified === 0
      ? []
      : [
          `${uncertified} have no valid C2PA manifest.${isSigning ? '' : ' Those without one are signed by the service where the store'}`,
          ...(isSigning
            ? []
            : [`asks for it: PATCH /api/v1/registry/stores/${safe(storeId)} with {"signImages": true}`]),
        ]),
    ...failed.flatMap(({ url, code, message, nextStep }) => [
      `${paint('bad', safe(code))} ${safe(url)}`,
      `  ${safe(message)} ${safe(nextStep)}`,
    ]),
  ];
  if (counts.failed > failed.length) lines.push(`… and ${counts.failed - failed.length} more`);
  return `${lines.join('\n')}\n`;
}

/** Scanned images without a valid manifest, neither at the shop nor in a file that the service signed. */
function uncertifiedOf({ done, certified, notServed }: ImageProgress): number {
  return Math.max(0, done - certified - notServed);
}

function endOf({ signedFile }: ImageReport): string {
  return signedFile?.validUntil === undefined ? '' : ` (${safe(signedFile.validUntil.slice(0, 10))})`;
}

function nextAttempt(at: string | undefined): string {
  return at === undefined ? 'It is being retried now.' : `The next attempt is at ${safe(at)}.`;
}

function exitCodeOf({ failed, waiting }: ImageProgress): ExitCode {
  if (failed > 0) return EXIT.failed;
  return waiting > 0 ? EXIT.unverified : EXIT.verified;
}
