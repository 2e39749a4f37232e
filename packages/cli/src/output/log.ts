import { LOG_REASONS, type LogFinding } from '@touchstone/certificate/verify';

/** Whether the proof is in a transparency log, and who says so; nothing if nobody asked. */
export function logRow(log: LogFinding | undefined): (readonly [string, string])[] {
  if (log === undefined) return [];
  const { status, reason, origin, index, treeSize, witnesses = [] } = log;
  const sentence = LOG_REASONS[reason];
  const place = origin === undefined ? '' : ` Entry ${index} of ${treeSize} in ${origin}.`;
  const by = witnesses.length === 0 ? '' : ` Witnesses: ${witnesses.join(', ')}.`;
  return [['log', `${status === null ? 'not known: ' : ''}${sentence}${place}${by}`]];
}
