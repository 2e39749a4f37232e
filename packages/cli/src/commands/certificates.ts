import type { CertificateProgress } from '@touchstone/contract';
import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../cli-error.ts';
import { type Paint, safe } from '../output/text.ts';
import { watch } from '../output/watch.ts';
import { registryClient } from '../registry-client.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';
import { addCertificatesFind } from './certificates-find.ts';
import { addCertificatesHistory } from './certificates-history.ts';
import { addCertificatesPull } from './certificates-pull.ts';

interface CertificatesOptions extends GlobalOptions {
  readonly watch?: boolean;
  readonly key?: string;
}

export function addCertificates(program: Command, session: Session): void {
  const certificates = program
    .command('certificates')
    .description(
      "Show the progress of a store's certificates: issued, still to be issued, and failed with the reason.",
    )
    .argument('<store-id>', 'the store')
    .option('--watch', 'wait until every certificate is issued')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .action((storeId: string, _: unknown, command: Command) =>
      printCertificates(session, storeId, command.optsWithGlobals<CertificatesOptions>()),
    );
  addCertificatesPull(certificates, session);
  addCertificatesFind(certificates, session);
  addCertificatesHistory(certificates, session);
}

async function printCertificates(
  session: Session,
  storeId: string,
  options: CertificatesOptions,
): Promise<void> {
  const { io, paint } = session;
  const client = registryClient(session, options);
  const ask = () => client.call('getCertificateProgress', { params: { store_id: storeId } });
  const counts = options.watch
    ? await watch(io, 'certificates', ask, (known, progress) => {
        progress.update(known);
        return known.left === 0;
      })
    : await ask();
  session.print(options, counts, () => words(counts, paint));
  session.exitCode = exitCodeOf(counts);
}

function words(counts: CertificateProgress, paint: Paint): string {
  const { certificates, left, done, total, perSecond, since, failed, state, lastFailure } = counts;
  const lines = [
    paint('strong', `${certificates} certificates issued`) +
      (left === 0
        ? '; nothing left to issue'
        : `; ${done} of ${total} products processed${since === undefined ? '' : ` since ${safe(since)}`}, ${left} left (${perSecond} a second)`),
    ...(state === 'waiting' ? ['No node is working on it at the moment.'] : []),
    ...(failed === 0 ? [] : [`${failed} failed and are retried automatically`]),
    ...(lastFailure === undefined || left === 0
      ? []
      : [`${paint('bad', safe(lastFailure.code))} at ${safe(lastFailure.at)}: ${safe(lastFailure.detail)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function exitCodeOf({ failed, left }: CertificateProgress): ExitCode {
  if (failed > 0) return EXIT.failed;
  return left > 0 ? EXIT.unverified : EXIT.verified;
}
