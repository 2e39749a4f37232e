import { readdirSync, readFileSync } from 'node:fs';
import { memoryOf } from '../../../kit/processes.ts';

/**
 * Watches the memory of processes that open images, on Linux.
 *
 * @param parent - their parent process
 */
export function watchChildMemory(parent: number | 'self' = 'self'): { stop(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    for (const pid of children(parent))
      if (opensImages(pid)) peak = Math.max(peak, quietly(() => memoryOf(pid, 'peak')) ?? 0);
  }, 10);
  return {
    /** Stops watching. Returns the peak memory of the largest child in bytes. */
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

/** Child processes of a process, by default of this one. */
export function children(parent: number | 'self' = 'self'): readonly string[] {
  return readdirSync(`/proc/${parent}/task`).flatMap((task) =>
    (quietly(() => readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8')) ?? '')
      .split(' ')
      .filter((pid) => pid !== ''),
  );
}

/** A service's database is also its child. */
export function opensImages(pid: string): boolean {
  return (quietly(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').includes('process-main.');
}

/** A process may end between listing and reading. */
function quietly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
