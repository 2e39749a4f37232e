import { setTimeout as delay } from 'node:timers/promises';
import type { RunningService } from '../core/running-service.ts';

/** Milliseconds between two checks of the readiness. */
const INTERVAL = 250;
/** Milliseconds for one check. */
const PATIENCE = 10_000;

/**
 * Tells the person at the terminal that the service is ready, as soon as `/readyz` answers 200 and not before; until then, why it
 * is not. The log is for machines.
 *
 * @param write - prints one line
 * @param signal - ends it
 * @param isKept - whether what is printed is kept where others may read it: then no key is
 */
export async function announceService(
  service: Pick<RunningService, 'url' | 'operatorKey' | 'madeOperatorKey'>,
  write: (line: string) => void,
  signal: AbortSignal,
  isKept = false,
): Promise<void> {
  const { url } = service;
  let told: string | undefined;
  for (;;) {
    const problem = await notReady(url, signal);
    if (signal.aborted) return;
    if (problem === null) break;
    if (problem !== told) write(`Touchstone has started at ${url}, but is not ready: ${problem}`);
    // a key that is shown once must not wait
    if (told === undefined) for (const line of keyLines(service, isKept)) write(line);
    told = problem;
    await delay(INTERVAL, undefined, { signal }).catch(() => {});
  }
  write(`Touchstone is ready at ${url} (API reference: ${url}/docs)`);
  if (told === undefined) for (const line of keyLines(service, isKept)) write(line);
}

/** Why the service is not ready; `null`: it is. */
async function notReady(url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(`${url}/readyz`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
    });
    const body = (await response.json().catch(() => null)) as { detail?: unknown } | null;
    if (response.ok) return null;
    return typeof body?.detail === 'string' ? body.detail : `/readyz answers ${response.status}.`;
  } catch {
    return 'it does not answer yet.';
  }
}

function keyLines(
  { operatorKey, madeOperatorKey }: Pick<RunningService, 'operatorKey' | 'madeOperatorKey'>,
  isKept: boolean,
): string[] {
  const made =
    madeOperatorKey === undefined
      ? []
      : isKept
        ? [`The operator key is in ${madeOperatorKey.path}`]
        : [`Operator key, shown this once: ${madeOperatorKey.key}`, `It is kept in ${madeOperatorKey.path}`];
  return [
    ...made,
    ...(operatorKey === undefined
      ? [
          'The operator key was printed by another node. If nobody has it, set a new one with TOUCHSTONE_OPERATOR_KEY.',
        ]
      : []),
  ];
}
