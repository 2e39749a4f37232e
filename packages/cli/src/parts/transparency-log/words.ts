import type { EndedLog } from '@touchstone/certificate/log';
import { safe } from '../../output/text.ts';

/** Who has cosigned a checkpoint. */
export function witnessWords({
  witnesses,
  quorum,
  ended,
}: {
  readonly witnesses: readonly string[];
  readonly quorum?: boolean;
  readonly ended?: string;
}): string {
  if (ended !== undefined)
    return `${witnessWords({ witnesses, ...(quorum === undefined ? {} : { quorum }) })}; ended ${safe(ended)}, when its key was revoked`;
  const names = witnesses.map(safe).join(', ');
  if (quorum === true) return `witnessed by ${names}`;
  if (quorum === false) return `logged, not witnessed by the quorum (${names === '' ? 'no witness' : names})`;
  return names === '' ? 'logged, not witnessed' : `logged, cosigned by ${names}`;
}

/** When a log ended, for output. */
export function endOf({ ended }: { readonly ended?: EndedLog }): { readonly ended?: string } {
  return ended === undefined ? {} : { ended: new Date(ended.endedAt * 1000).toISOString() };
}
