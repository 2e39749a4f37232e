import type { Command } from 'commander';
import { cannotTell } from '../cli-error.ts';
import { isRecord } from '../client/problem.ts';
import { createServiceClient, type ServiceClient } from '../client/service-client.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { createProgress } from '../output/progress.ts';
import { safe } from '../output/safe-text.ts';
import type { Paint } from '../output/style.ts';
import type { Session } from '../session.ts';
import { apiKey, type GlobalOptions, serviceUrl } from '../settings.ts';

interface ImagesOptions extends GlobalOptions {
  readonly watch?: boolean;
  readonly retry?: boolean;
  readonly key?: string;
}

/** Milliseconds between two questions of `--watch`. */
const PACE = 1_000;

export function addImages(program: Command, session: Session): void {
  program
    .command('images')
    .description("Tell how far a store's images are: looked at, certified, failed and why.")
    .argument('<store-id>', 'the store')
    .option('--watch', 'stay until every image was looked at')
    .option('--retry', 'have failed images looked at again first')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .action((storeId: string, _: unknown, command: Command) =>
      tellImages(session, storeId, command.optsWithGlobals<ImagesOptions>()),
    );
}

async function tellImages(session: Session, storeId: string, options: ImagesOptions): Promise<void> {
  const { io, paint } = session;
  const client = createServiceClient({
    baseUrl: serviceUrl(options, io.env),
    key: apiKey(options, io.env),
    io,
    attempts: 4,
  });
  const base = `/api/v1/registry/stores/${encodeURIComponent(storeId)}/images`;
  if (options.retry) await client.request({ method: 'POST', path: `${base}/retry`, body: {} });
  const counts = options.watch ? await watch(client, base, session) : await askProgress(client, base);
  const failed = counts.failed === 0 ? [] : await askFailed(client, base);
  session.print(options, { ...counts, images: failed }, () => words(storeId, counts, failed, paint));
  session.exitCode = exitCodeOf(counts);
}

const COUNTS = [
  'total',
  'done',
  'failed',
  'waiting',
  'retrying',
  'certified',
  'signedByUs',
  'perSecond',
] as const;
type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

function isCounts(answer: unknown): answer is Counts {
  return isRecord(answer) && COUNTS.every((name) => typeof answer[name] === 'number');
}

async function watch(client: ServiceClient, base: string, { io }: Session): Promise<Counts> {
  const progress = createProgress(io, 'images');
  try {
    for (;;) {
      const counts = await askProgress(client, base);
      progress.update({ done: counts.done + counts.failed, total: counts.total, failed: counts.failed });
      if (counts.waiting === 0 || io.stop.aborted) return counts;
      await io.sleep(PACE);
    }
  } finally {
    progress.end();
  }
}

async function askProgress(client: ServiceClient, base: string): Promise<Counts> {
  const answer = await client.request({ method: 'GET', path: `${base}/progress` });
  if (isCounts(answer)) return answer;
  throw cannotTell(
    `The answer of ${client.baseUrl} tells no progress.`,
    'Are service and command of one version?',
  );
}

interface Failed {
  readonly url: string;
  readonly code: string;
  readonly message: string;
  readonly nextStep: string;
}

/** The first of them; the count says how many there are. */
async function askFailed(client: ServiceClient, base: string): Promise<readonly Failed[]> {
  const answer = await client.request({ method: 'GET', path: `${base}/failed` });
  return isRecord(answer) && Array.isArray(answer.images) ? (answer.images as Failed[]) : [];
}

function words(storeId: string, counts: Counts, failed: readonly Failed[], paint: Paint): string {
  const { total, done, waiting, retrying, certified, signedByUs } = counts;
  const lines = [
    `${paint('strong', `${done} of ${total} images looked at`)}, ${waiting} waiting, ${counts.failed} failed (${counts.perSecond} a second)`,
    `${certified} certified: ${certified - signedByUs} by their own manifest, ${signedByUs} signed by this service`,
    ...(retrying === 0
      ? []
      : [`${retrying} are tried again: the last attempt came to nothing, at the shop or at this service`]),
    ...(done <= certified
      ? []
      : [
          `${done - certified} carry no C2PA manifest that validates. Those without one are signed by the service where the store`,
          `asks for it: PATCH /api/v1/registry/stores/${safe(storeId)} with {"signImages": true}`,
        ]),
    ...failed.flatMap(({ url, code, message, nextStep }) => [
      `${paint('bad', safe(code))} ${safe(url)}`,
      `  ${safe(message)} ${safe(nextStep)}`,
    ]),
  ];
  if (counts.failed > failed.length) lines.push(`… and ${counts.failed - failed.length} more`);
  return `${lines.join('\n')}\n`;
}

function exitCodeOf({ failed, waiting }: Counts): ExitCode {
  if (failed > 0) return EXIT.failed;
  return waiting > 0 ? EXIT.unverified : EXIT.verified;
}
