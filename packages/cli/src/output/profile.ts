import type { Conclusion } from '@touchstone/certificate';
import {
  PROFILE_CHECKS,
  PROFILE_REASONS,
  type Profile,
  type ProfileCheck,
  type ProfileCheckResult,
  type ProfileStatus,
  REASONS,
  WITHDRAWAL_NOTES,
  WITHDRAWAL_REASONS,
} from '@touchstone/certificate/verify';
import type { CertificateKind } from '../verify/found-node.ts';
import type { ProfileOutcome } from '../verify/profile.ts';
import { logRow } from './log.ts';
import { labelled, signedText } from './signed.ts';
import { list, type Paint, type Style, safe, table } from './text.ts';
import { withdrawalRow } from './withdrawal.ts';
import { CHECK_QUESTIONS, CONCLUSION_WORDS, STYLES, type Words } from './words.ts';

interface ProfileWords extends Words {
  readonly style: Style;
  readonly why: string;
}

const PROFILE_WORDS: Readonly<Record<ProfileStatus, ProfileWords>> = {
  trusted: {
    title: 'TRUSTED',
    style: 'good',
    why: 'Every check that the profile requires passed.',
  },
  untrusted: {
    title: 'UNTRUSTED',
    style: 'bad',
    why: 'A check that the profile requires failed.',
    next: 'Do not rely on this certificate; ask the shop, or check the page for which it was issued.',
  },
  undetermined: {
    title: 'UNDETERMINED',
    style: 'unsure',
    why: 'Nothing failed, but a check that the profile requires could not run.',
    next: 'Supply what is missing, or use a lower profile.',
  },
};

export const KINDS: Readonly<Record<CertificateKind, string>> = {
  product: 'of a product',
  asset: 'of an image of a product',
  image: 'of an image',
};

const QUESTIONS: Readonly<Record<ProfileCheck, string>> = {
  ...CHECK_QUESTIONS,
  imageBound: 'issued for these bytes',
  c2paValid: 'C2PA manifest of the image is valid',
};

const PROFILES: readonly Profile[] = ['minimal', 'standard', 'full'];

interface ProfileReport {
  readonly subject: string;
  /** Absent: nobody has said where it was seen. */
  readonly pageUrl: string | undefined;
  readonly profile: Profile;
  readonly outcome: ProfileOutcome;
  /** What the page that it was found on says against relying on it. */
  readonly conclusion?: Conclusion | undefined;
}

/** The profile's verdict with its reasons, then the checks, and the other profiles. */
export function profileText(
  { subject, pageUrl, profile, outcome, conclusion }: ProfileReport,
  paint: Paint,
): string {
  const { title, style, why, next } = wordsOf(outcome.profiles[profile], conclusion, pageUrl);
  const about: readonly (readonly [string, string])[] = [
    ['profile', profile],
    ...withdrawalRow(outcome.withdrawal),
    ...logRow(outcome.log),
    ['certificate', KINDS[outcome.kind]],
    ...(pageUrl === undefined ? [] : [['page', pageUrl] as const]),
    ...PROFILES.filter((one) => one !== profile).map((one) => [one, outcome.profiles[one]] as const),
  ];
  return [
    `${paint('strong', paint(style, title))}  ${safe(subject)}\n${why}\n`,
    list('', outcome.errors),
    labelled(about, paint),
    signedText(outcome.signed, paint),
    table(PROFILE_CHECKS.map((name) => checkRow(name, outcome.checks[name], paint))),
    list('Warnings', outcome.warnings),
    next === undefined ? '' : `Next: ${next}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function wordsOf(
  status: ProfileStatus,
  conclusion: Conclusion | undefined,
  pageUrl: string | undefined,
): ProfileWords {
  if (conclusion !== undefined)
    return {
      ...CONCLUSION_WORDS[conclusion.code],
      style: STYLES[conclusion.level],
      why: conclusion.sentence,
    };
  const words = PROFILE_WORDS[status];
  const { next = '' } = CONCLUSION_WORDS.place_unknown;
  return status === 'undetermined' && pageUrl === undefined ? { ...words, next } : words;
}

function checkRow(name: ProfileCheck, check: ProfileCheckResult, paint: Paint) {
  const { result, reason, expected, actual } = check;
  const word = result === null ? '-' : result ? 'ok' : 'FAIL';
  const style = result === null ? 'dim' : result ? 'good' : 'bad';
  const reasons = [
    { ...REASONS, ...PROFILE_REASONS, ...WITHDRAWAL_REASONS, ...WITHDRAWAL_NOTES }[reason],
    ...(expected === undefined ? [] : [`Expected ${expected}.`]),
    ...(actual === undefined ? [] : [`Found ${actual}.`]),
  ];
  return [
    { text: word, shown: paint(style, word) },
    name,
    QUESTIONS[name],
    result === true ? '' : safe(reasons.join(' ')),
  ];
}
