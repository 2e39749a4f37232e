import { isContextForeign } from '@touchstone/certificate';
import type { ProfileVerification } from '@touchstone/certificate/verify';
import { PROFILE_CHECKS } from '@touchstone/certificate/verify';
import { type CheckView, checksOfResult } from '../report/check-views.ts';
import { Checks } from '../report/checks.tsx';
import { Facts } from '../report/facts.tsx';
import { Signed } from '../report/signed.tsx';
import { type Tone, type VerdictView, verdictOf } from '../report/verdict-view.ts';
import { Fill, Untrusted, useTexts } from '../ui/text.tsx';
import { Finding } from './finding.tsx';
import type { DocumentJudgement, ProofJudgement } from './judge.ts';
import { JudgedBy } from './judged-by.tsx';
import { Notes } from './notes.tsx';

/** What is needed to ask where a certificate was seen. */
export interface Asking {
  /** The address in the file from which it was saved; untrusted. */
  readonly savedFrom: string | undefined;
  onConfirm(pageUrl: string): void;
}

type Judged = DocumentJudgement | ProofJudgement;
type Name = 'verified' | 'trusted' | 'image' | 'untrusted' | 'undetermined' | 'unsigned';

const TONES: Readonly<Record<Name, Tone>> = {
  verified: 'good',
  trusted: 'good',
  image: 'good',
  untrusted: 'bad',
  undetermined: 'neutral',
  unsigned: 'neutral',
};

/** Details of the verdict on a certificate or a proof. */
export function DocumentDetails({ judgement, at }: { judgement: Judged; at: Date }) {
  const { profiles } = judgement;
  const verification = judgement.kind === 'document' ? judgement.verification : undefined;
  const { signed, warnings, verifier } = verification ?? profiles;
  const isPast = profiles.checks.timestampValid.reason === 'proof_expired';
  return (
    <article class="report" data-status={verification?.status ?? profiles.profiles.standard}>
      <Signed signed={signed ?? null} isPast={isPast} />
      <Checks
        checks={verification === undefined ? checksOfProfiles(profiles) : checksOfResult(verification)}
      />
      <Profiles profiles={profiles.profiles} />
      {judgement.kind === 'document' && judgement.facts !== undefined ? (
        <Facts facts={judgement.facts} />
      ) : null}
      <Notes notes={warnings} />
      <JudgedBy verifier={verifier} at={at} />
    </article>
  );
}

/** Failures are as specific as for a page: a valid certificate in the wrong place differs from a forged one. */
export function DocumentHeadline({ judgement, ...asking }: { judgement: Judged } & Asking) {
  const { verify, verdicts, report } = useTexts();
  const name = nameOf(judgement);
  const { signed, checks } = judgement.profiles;
  if (name === 'undetermined' && signed?.url !== undefined && checks.boundToUrl.result === null)
    return <WhereSeen signedUrl={signed.url} {...asking} />;
  const exact = exactly(name, judgement);
  if (exact === undefined) {
    const { title, meaning } = verify.result.document[name];
    return <Finding tone={TONES[name]} name={name} title={title} meaning={meaning} />;
  }
  const values = { site: <Untrusted text={exact.site ?? ''} /> };
  const meanings: Readonly<Record<string, string>> = report.meaning;
  return (
    <Finding
      tone={exact.tone}
      name={exact.name}
      title={<Fill text={verdicts[exact.name].title} values={values} />}
      meaning={<Fill text={meanings[exact.name] ?? ''} values={values} />}
    />
  );
}

/** Nothing is wrong with it, but only the user knows where it was seen: an address in the input is a suggestion. */
function WhereSeen({ signedUrl, savedFrom, onConfirm }: { signedUrl: string } & Asking) {
  const { unplaced: words } = useTexts().verify.result;
  return (
    <Finding
      tone={TONES.undetermined}
      name="undetermined"
      title={<Fill text={words.title} values={{ page: <Untrusted text={signedUrl} /> }} />}
      meaning={words.meaning}
    >
      {savedFrom === undefined || savedFrom === signedUrl ? null : (
        <p>
          <Fill text={words.saved} values={{ page: <Untrusted text={savedFrom} /> }} />
        </p>
      )}
      <p class="next">{words.other}</p>
      <div class="actions">
        <button type="button" class="button primary" onClick={() => onConfirm(signedUrl)}>
          {words.yes}
        </button>
        {savedFrom === undefined || savedFrom === signedUrl ? null : (
          <button type="button" class="button" onClick={() => onConfirm(savedFrom)}>
            {words.savedYes}
          </button>
        )}
      </div>
    </Finding>
  );
}

/** A verdict that says more than the name. */
function exactly(name: Name, { profiles }: Judged): VerdictView | undefined {
  if (name === 'untrusted') return failureOf(profiles);
  const isSound = name === 'verified' || name === 'undetermined';
  return isSound && isContextForeign(profiles) ? verdictOf('foreign_context') : undefined;
}

function failureOf({ signed, checks }: ProfileVerification): VerdictView | undefined {
  if (signed === undefined) return undefined;
  const failed = PROFILE_CHECKS.filter((name) => checks[name].result === false);
  if (failed.length === 1 && checks.timestampValid.reason === 'proof_expired')
    return verdictOf('certificate_expired');
  if (failed.includes('boundToDomain')) return verdictOf('another_site', signed.domain);
  return failed.length === 1 && failed[0] === 'boundToUrl' ? verdictOf('another_page') : undefined;
}

function nameOf(judgement: Judged): Name {
  const { checks, profiles } = judgement.profiles;
  const verification = judgement.kind === 'document' ? judgement.verification : undefined;
  if (verification !== undefined) {
    if (verification.status === 'unverified') return 'unsigned';
    return verification.status === 'verified' ? 'verified' : 'untrusted';
  }
  if (checks.signatureValid.reason === 'nothing_signed') return 'unsigned';
  if (Object.values(checks).some(({ result }) => result === false)) return 'untrusted';
  if (profiles.full === 'trusted') return 'image';
  return profiles.standard === 'trusted' ? 'trusted' : 'undetermined';
}

/** Checks with a result: those without input are left out. */
function checksOfProfiles({ checks }: ProfileVerification): CheckView[] {
  return PROFILE_CHECKS.filter(
    (name) => !['image_not_given', 'manifest_not_read'].includes(checks[name].reason),
  ).map((name) => {
    const { result, reason, expected, actual } = checks[name];
    return {
      name,
      result,
      reason,
      ...(expected === undefined ? {} : { expected }),
      ...(actual === undefined ? {} : { found: actual }),
    };
  });
}

function Profiles({ profiles }: { profiles: ProfileVerification['profiles'] }) {
  const { profiles: words } = useTexts().verify.result;
  return (
    <section aria-labelledby="profiles">
      <h2 id="profiles">{words.title}</h2>
      <dl class="terms profiles">
        {(['minimal', 'standard', 'full'] as const).map((name) => (
          <div key={name} data-profile={name} data-status={profiles[name]}>
            <dt>
              {words.names[name]} <span class="small">{words.about[name]}</span>
            </dt>
            <dd>{words.states[profiles[name]]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
