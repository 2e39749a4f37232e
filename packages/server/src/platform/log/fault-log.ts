import type { Clock } from '../clock.ts';

/** Milliseconds between two lines about one kind of fault. */
const INTERVAL = 60_000;

/**
 * Keeps a fault that repeats (each image of a catalogue, while the network is away) from burying the log: of each kind
 * the first is told, then at most one a minute, with how many there were.
 *
 * @param tell `times` counts the faults of this kind since the last one that was told, this one included
 */
export function createFaultLog(
  tell: (fault: unknown, times: number) => void,
  clock: Clock,
): (fault: unknown) => void {
  const kinds = new Map<string, { since: number; untold: number }>();
  return (fault) => {
    const kind = kindOf(fault);
    const now = clock().getTime();
    const told = kinds.get(kind) ?? { since: Number.NEGATIVE_INFINITY, untold: 0 };
    const times = told.untold + 1;
    const isDue = now - told.since >= INTERVAL;
    kinds.set(kind, isDue ? { since: now, untold: 0 } : { ...told, untold: times });
    if (isDue) tell(fault, times);
  };
}

/** By name and code: messages name single images. */
function kindOf(fault: unknown): string {
  const root = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
  if (!(root instanceof Error)) return typeof root;
  return 'code' in root ? `${root.name} ${String(root.code)}` : root.name;
}
