import type { ConclusionLevel } from '@touchstone/certificate';

/** The appearance of a conclusion, besides its text: shape of the mark and colour. */
export type Tone = 'good' | 'bad' | 'caution' | 'neutral';

export const TONE_OF: Readonly<Record<ConclusionLevel, Tone>> = {
  good: 'good',
  caution: 'caution',
  bad: 'bad',
  none: 'neutral',
};

/** Outlines of the marks, in a square of 48: a circle, an octagon, a triangle, a square. */
export const GROUNDS: Readonly<Record<Tone, string>> = {
  good: 'M24 2a22 22 0 1 1 0 44a22 22 0 1 1 0-44z',
  bad: 'M15 2h18l13 13v18L33 46H15L2 33V15z',
  caution: 'M24 3 47 44H1z',
  neutral: 'M4 4h40v40H4z',
};

/** What is drawn in them: a tick, a cross, a bar, a dash. */
export const SIGNS: Readonly<Record<Tone, string>> = {
  good: 'm13 25 8 8 15-17',
  bad: 'm15 15 18 18m0-18L15 33',
  caution: 'M24 18v13m0 4.5v3',
  neutral: 'M14 24h20',
};
