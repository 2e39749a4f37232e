import type { Command } from 'commander';
import { EXIT } from '../cli-error.ts';
import { createProgress } from '../output/progress.ts';
import { type Paint, safe } from '../output/text.ts';
import { type PulledFile, pullImages } from '../pull/pull-images.ts';
import { registryClient } from '../registry-client.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';

interface PullCommandOptions extends GlobalOptions {
  readonly to: string;
  readonly all?: boolean;
  readonly key?: string;
}

export function addImagesPull(images: Command, session: Session): void {
  images
    .command('pull')
    .description('Download the files that the service signed, to upload them in place of your own.')
    .argument('<store-id>', 'the store')
    .requiredOption('--to <folder>', 'target folder, with subfolders by host and path as at the shop')
    .option('--all', 'also files that the shop already serves')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .action((storeId: string, _: unknown, command: Command) =>
      pull(session, storeId, command.optsWithGlobals<PullCommandOptions>()),
    );
}

async function pull(session: Session, storeId: string, options: PullCommandOptions): Promise<void> {
  const { io, paint } = session;
  const client = registryClient(session, options);
  const { notServed, signedByUs } = await client.call('getImageProgress', { params: { store_id: storeId } });
  const progress = createProgress(io, 'files');
  const state = { done: 0, failed: 0, total: options.all === true ? signedByUs : notServed };
  const onFile = ({ outcome }: PulledFile) => {
    state.done += 1;
    if (outcome === 'failed') state.failed += 1;
    progress.update(state);
  };
  const all = options.all === true;
  const files = await pullImages({ client, io, storeId, folder: options.to, all, onFile }).finally(() =>
    progress.end(),
  );
  const counts = countsOf(files);
  session.print(options, { folder: options.to, ...counts, files }, () =>
    words(files, { storeId, folder: options.to }, paint),
  );
  session.exitCode = counts.failed > 0 ? EXIT.failed : EXIT.verified;
}

function countsOf(files: readonly PulledFile[]) {
  const count = (wanted: PulledFile['outcome']) => files.filter(({ outcome }) => outcome === wanted).length;
  return { pulled: count('pulled'), present: count('present'), failed: count('failed') };
}

function words(
  files: readonly PulledFile[],
  { storeId, folder }: { readonly storeId: string; readonly folder: string },
  paint: Paint,
): string {
  const { pulled, present, failed } = countsOf(files);
  if (files.length === 0)
    return 'There is nothing to download: the shop serves every file that the service signed.\n';
  const lines = [
    `${paint('strong', `${pulled} files downloaded`)} to ${safe(folder)}, ${present} unchanged, ${failed} failed`,
    ...files
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ file, reason }) => `${paint('bad', 'failed')} ${safe(file)}: ${safe(reason ?? '')}`),
    'Upload each in place of yours, at the same address. The service notices it within a day; at once if the product is',
    `sent again, or after touchstone images ${safe(storeId)} --recheck`,
  ];
  return `${lines.join('\n')}\n`;
}
