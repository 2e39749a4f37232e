import type { Command } from 'commander';
import { cannotTell, EXIT } from '../cli-error.ts';
import { reasonOf } from '../problem.ts';
import type { Session } from '../session.ts';
import { type GlobalOptions, serviceUrl } from '../settings.ts';

/** Milliseconds to wait for the answer. */
const PATIENCE = 5_000;

interface HealthOptions extends GlobalOptions {
  readonly ready?: boolean;
}

/** For health checks of containers, which contain no other HTTP client. */
export function addHealth(program: Command, session: Session): void {
  program
    .command('health')
    .description('Ask whether the service is alive, or ready to answer requests.')
    .option('--ready', 'whether it is ready (/readyz) instead of alive (/healthz)')
    .action((_: unknown, command: Command) => health(session, command.optsWithGlobals<HealthOptions>()));
}

async function health(session: Session, options: HealthOptions): Promise<void> {
  const { io } = session;
  const url = `${serviceUrl(options, io.env)}/${options.ready === true ? 'readyz' : 'healthz'}`;
  const response = await io.fetch(url, { signal: AbortSignal.timeout(PATIENCE) }).catch((error: unknown) => {
    throw cannotTell('service_unreachable', `${url} does not answer: ${reasonOf(error)}.`, undefined, error);
  });
  const { status, ok } = response;
  session.print(options, { url, status, ok }, () => `${url} answers ${status}.\n`);
  session.exitCode = ok ? EXIT.verified : EXIT.failed;
}
