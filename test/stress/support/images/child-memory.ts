import { readdirSync, readFileSync } from 'node:fs';

/**
 * Watches processes that open images, on Linux.
 *
 * @param parent - who has started them
 */
export function watchChildMemory(parent: number | 'self' = 'self'): { stop(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    for (const pid of children(parent)) if (opensImages(pid)) peak = Math.max(peak, peakOf(pid));
  }, 10);
  return {
    /** Ends watching. Bytes of the largest child, at its largest. */
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

/** Processes that a process has started, this one by default. */
export function children(parent: number | 'self' = 'self'): readonly string[] {
  return readdirSync(`/proc/${parent}/task`).flatMap((task) =>
    quietly(() => readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8'))
      .split(' ')
      .filter((pid) => pid !== ''),
  );
}

/** A service has its database for a child too. */
export function opensImages(pid: string): boolean {
  return quietly(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).includes('process-main.');
}

function peakOf(pid: string): number {
  const [, kilobytes = '0'] =
    /VmHWM:\s+(\d+)/.exec(quietly(() => readFileSync(`/proc/${pid}/status`, 'utf8'))) ?? [];
  return Number(kilobytes) * 1_024;
}

/** A process may end between being listed and being looked at. */
function quietly(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
