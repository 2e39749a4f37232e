import type { ProfileVerification } from '@touchstone/certificate/verify';
import { PROFILE_CHECKS } from '@touchstone/certificate/verify';
import { type CheckView, checksOfResult } from '../report/check-views.ts';
import { Checks } from '../report/checks.tsx';
import { ConclusionText } from '../report/conclusion-texts.tsx';
import { Facts } from '../report/facts.tsx';
import { LogFact } from '../report/log.tsx';
import { Signed } from '../report/signed.tsx';
import { TONE_OF } from '../report/tones.ts';
import { WithdrawalFact } from '../report/withdrawal.tsx';
import { Fill, Untrusted, useTexts } from '../ui/text.tsx';
import { concludeDocument } from './conclude-document.ts';
import { ConcludedFinding, Finding } from './finding.tsx';
import type { DocumentResult, ProofResult } from './judge.ts';
import { JudgedBy } from './judged-by.tsx';
import { Notes } from './notes.tsx';

/** What is needed to ask where a certificate was seen. */
export interface Asking {
  /** The address in the file from which it was saved; untrusted. */
  readonly savedFrom: string | undefined;
  onConfirm(pageUrl: string): void;
}

type Judged = DocumentResult | ProofResult;

/** Details of the verdict on a certificate or a proof. */
export function DocumentDetails({ result, at }: { result: Judged; at: Date }) {
  const { profiles } = result;
  const verification = result.kind === 'document' ? result.verification : undefined;
  const { signed, warnings, verifier } = verification ?? profiles;
  const isPast = profiles.checks.timestampValid.reason === 'proof_expired';
  return (
    <article class="report" data-status={verification?.status ?? profiles.profiles.standard}>
      <WithdrawalFact withdrawal={profiles.withdrawal} />
      <LogFact log={profiles.log} />
      <Signed signed={signed ?? null} isPast={isPast} />
      <Checks
        checks={verification === undefined ? checksOfProfiles(profiles) : checksOfResult(verification)}
      />
      <Profiles profiles={profiles.profiles} />
      {result.kind === 'document' && result.facts !== undefined ? <Facts facts={result.facts} /> : null}
      <Notes notes={warnings} />
      <JudgedBy verifier={verifier} at={at} />
    </article>
  );
}

/** What is concluded; if only the place is unknown, its user is asked for it. */
export function DocumentHeadline({ result, ...asking }: { result: Judged } & Asking) {
  const { image } = useTexts().verify.result;
  const { status, conclusion } = concludeDocument(result);
  const { signed, checks } = result.profiles;
  const about = { signed };
  if (conclusion.code === 'place_unknown' && signed?.url !== undefined && checks.boundToUrl.result === null)
    return <WhereSeen signedUrl={signed.url} {...asking} />;
  if (conclusion.code !== 'issued_to_proven_host')
    return <ConcludedFinding conclusion={conclusion} verdict={status} about={about} />;
  return (
    <Finding
      tone={TONE_OF[conclusion.level]}
      name={status}
      code={conclusion.code}
      title={<ConclusionText code={conclusion.code} part="title" about={about} />}
      meaning={image}
    />
  );
}

/** Nothing is wrong with it, but only the user knows where it was seen: an address in the input is a suggestion. */
function WhereSeen({ signedUrl, savedFrom, onConfirm }: { signedUrl: string } & Asking) {
  const { unplaced: words } = useTexts().verify.result;
  return (
    <Finding
      tone={TONE_OF.none}
      name="undetermined"
      code="place_unknown"
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

/** Checks with a result: those without input are left out. */
function checksOfProfiles({ checks }: ProfileVerification): CheckView[] {
  return PROFILE_CHECKS.filter(
    (name) => !['image_not_given', 'manifest_not_read'].includes(checks[name].reason),
  ).map((name) => {
    const { result, reason, expected, actual } = checks[name];
    return { name, result, reason, expected, found: actual };
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
