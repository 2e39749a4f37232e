import { safe } from '../../output/text.ts';

/** Who has cosigned a checkpoint. */
export function witnessWords({
  witnesses,
  quorum,
}: {
  readonly witnesses: readonly string[];
  readonly quorum?: boolean;
}): string {
  const names = witnesses.map(safe).join(', ');
  if (quorum === true) return `witnessed by ${names}`;
  if (quorum === false) return `logged, not witnessed by the quorum (${names === '' ? 'no witness' : names})`;
  return names === '' ? 'logged, not witnessed' : `logged, cosigned by ${names}`;
}
