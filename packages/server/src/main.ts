import { readConfig } from './config.ts';
import type { RunningService } from './start/running-service.ts';
import { asStartError, StartError } from './start/start-error.ts';
import { startService } from './start/start-service.ts';

/**
 * Runs the service with the settings of the environment until SIGTERM, SIGINT or SIGHUP, then drains and returns; a
 * second signal ends the process at once.
 *
 * @throws StartError for what an operator can mend
 */
export async function serveUntilStopped(): Promise<void> {
  const stopped = firstSignal();
  const service = await startService(configFromEnvironment());
  announce(service);
  const failure = await Promise.race([stopped, service.failed]);
  await service.close();
  if (failure instanceof Error) throw new StartError(failure.message, { cause: failure });
}

function configFromEnvironment() {
  try {
    return readConfig(process.env);
  } catch (error) {
    throw asStartError(error);
  }
}

/** For a person at the terminal; the log on standard output is for machines. */
function announce({ url, operatorKey, madeOperatorKey }: RunningService): void {
  const lines = [`Touchstone is ready at ${url} (API reference: ${url}/docs)`];
  if (madeOperatorKey !== undefined) {
    lines.push(
      `Operator key, shown this once: ${madeOperatorKey.key}`,
      `It is kept in ${madeOperatorKey.path}`,
    );
  }
  if (operatorKey === undefined) {
    lines.push(
      'The operator key is with another node. If nobody has it, TOUCHSTONE_OPERATOR_KEY sets a new one.',
    );
  }
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** SIGHUP: the terminal was closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Milliseconds in which a repeated signal is the same one: npm passes on what the terminal sends to all. */
const ECHO = 1000;

function firstSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const onSignal = () => {
      askedAt ??= performance.now();
      if (performance.now() - askedAt > ECHO) process.exit(1);
      resolve(undefined);
    };
    for (const name of SIGNALS) process.on(name, onSignal);
  });
}
