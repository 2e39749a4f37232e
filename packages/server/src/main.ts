import type { RunningService } from './core/running-service.ts';
import { presentParts, readConfig } from './parts.ts';
import { StartError } from './platform/lifecycle/start-error.ts';
import { announceService } from './start/announce.ts';

/**
 * Runs the service with the settings of the environment until `stop` is aborted, then drains and returns.
 *
 * @param commit - that runs, if it is known; the metrics tell it
 * @throws StartError for what an operator can fix
 */
export async function serveUntilStopped(stop: AbortSignal, commit?: string): Promise<void> {
  const service = await start(commit);
  const end = new AbortController();
  // set by systemd, whose journal others may read
  const isKept = process.env.JOURNAL_STREAM !== undefined;
  const announced = announceService(service, write, end.signal, isKept);
  const failure = await Promise.race([untilAborted(stop), service.failed]);
  end.abort();
  await announced;
  await service.close();
  if (failure instanceof Error) throw new StartError(failure.message, { cause: failure });
}

/**
 * Loads the modules for one process or for several: a process that only supervises others answers no requests. Root answers no
 * requests either.
 */
async function start(commit: string | undefined): Promise<RunningService> {
  const config = readConfig(process.env);
  const prepareParts = async () => {
    for (const part of presentParts(config)) await part.prepare?.(write);
  };
  const isRoot = process.getuid?.() === 0;
  if (config.processes > 1 || isRoot)
    return (await import('./start/start-processes.ts')).startProcesses(config, prepareParts, commit);
  await prepareParts();
  return (await import('./start/start-service.ts')).startService(config, {}, commit);
}

function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

function write(line: string): void {
  process.stderr.write(`${line}\n`);
}
