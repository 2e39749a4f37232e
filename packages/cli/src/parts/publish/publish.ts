import { resolve } from 'node:path';
import type { Publication } from '@touchstone/contract';
import type { Command } from 'commander';
import { EXIT, usage } from '../../cli-error.ts';
import { safe } from '../../output/text.ts';
import { watch } from '../../output/watch.ts';
import { registryClient } from '../../registry-client.ts';
import type { Session } from '../../session.ts';
import type { GlobalOptions } from '../../settings.ts';

interface PublishOptions extends GlobalOptions {
  readonly key?: string;
  readonly to?: string;
  readonly all?: boolean;
  readonly watch?: boolean;
}

export function addPublish(program: Command, session: Session): void {
  program
    .command('publish')
    .description(
      'Wait until the static copies of the service (TOUCHSTONE_PUBLISH_TO) are current, and tell how many there are.',
    )
    .option('--to <place>', 'fail unless the service publishes there: a folder, or s3://bucket/prefix')
    .option('--all', 'write all copies anew, as for a bucket that was emptied')
    .option('--watch', 'keep on, until interrupted')
    .option('--key <key>', 'API key of the operator (TOUCHSTONE_KEY)')
    .action((_: unknown, command: Command) => publish(session, command.optsWithGlobals<PublishOptions>()));
}

async function publish(session: Session, options: PublishOptions): Promise<void> {
  const { io } = session;
  const client = registryClient(session, options);
  const first = await client.call('getPublication', {});
  if (first.place === undefined)
    throw usage(
      'This service publishes no copies.',
      'Set TOUCHSTONE_PUBLISH_TO to a folder or s3://bucket/prefix, and restart it.',
    );
  if (options.to !== undefined && wholeName(options.to) !== wholeName(first.place))
    throw usage(`This service publishes to ${first.place}.`);
  if (options.all === true) await client.call('publishAnew', {});
  const last = await watch(
    io,
    'copies',
    () => client.call('getPublication', {}),
    ({ state, certificates, waiting, unread, failure }, progress) => {
      progress.update({ done: certificates, total: certificates + waiting, failed: unread });
      if (failure !== undefined) progress.remark(failure.detail);
      return options.watch !== true && (state === 'current' || state === 'failing');
    },
  );
  session.print(options, last, () => summary(last));
  session.exitCode = last.state === 'current' && last.unread === 0 ? EXIT.verified : EXIT.failed;
}

/** A folder is named by its whole path, a bucket with a slash behind its prefix. */
const wholeName = (place: string) => (place.includes('://') ? place : resolve(place)).replace(/\/+$/, '');

function summary({ state, place = '', certificates, waiting, unread, failure }: Publication): string {
  const lines = [
    `${certificates} certificates at ${place}; ${state === 'current' ? 'the copies are current.' : `${waiting} products are waiting.`}`,
    ...(unread === 0 ? [] : [`${unread} certificates could not be read: see the log of the service.`]),
    ...(failure === undefined
      ? []
      : [`The last attempt to write failed at ${failure.at}: ${failure.detail}`]),
  ];
  return `${lines.map((line) => safe(line)).join('\n')}\n`;
}
