import type { Io, Output } from '../io.ts';

export type Style = 'good' | 'bad' | 'unsure' | 'strong' | 'dim';

const SGR: Readonly<Record<Style, string>> = { good: '32', bad: '31', unsure: '33', strong: '1', dim: '2' };

/** Paints text, or leaves it as it is. */
export type Paint = (style: Style, text: string) => string;

/** Colours only where a person watches, and never against NO_COLOR (no-color.org: set and not empty). */
export function paintFor(output: Output, env: Io['env']): Paint {
  const wanted = output.isTerminal && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  return wanted ? (style, text) => `\u001b[${SGR[style]}m${text}\u001b[0m` : (_, text) => text;
}
