import { VERIFIER } from '@touchstone/certificate/verify';
import { checksOfResult } from '../report/check-views.ts';
import { Checks } from '../report/checks.tsx';
import { Claims } from '../report/claims.tsx';
import { Comparison } from '../report/comparison.tsx';
import { concernedIn } from '../report/conclusion-texts.tsx';
import { Facts } from '../report/facts.tsx';
import { LogFact } from '../report/log.tsx';
import { NotesList } from '../report/notes-list.tsx';
import { Signed } from '../report/signed.tsx';
import { WithdrawalFact } from '../report/withdrawal.tsx';
import { ConcludedFinding } from './finding.tsx';
import type { PageResult } from './judge-page.ts';
import { JudgedBy } from './judged-by.tsx';

/** What is concluded from a saved page. */
export function PageHeadline({ result: { report } }: { result: PageResult }) {
  return (
    <ConcludedFinding conclusion={report.conclusion} verdict={report.verdict} about={concernedIn(report)} />
  );
}

/** Details of the verdict: the signed claims, each check, and the page's statements. */
export function PageDetails({ result, at }: { result: PageResult; at: Date }) {
  const { report, verification } = result;
  const { signed, present } = report.mc4p;
  return (
    <article class="report" data-status={report.verdict}>
      <WithdrawalFact withdrawal={report.mc4p.withdrawal} />
      <LogFact log={verification?.log} />
      {signed === undefined ? null : <Comparison report={report} />}
      {present ? <Signed signed={signed ?? null} isPast={report.verdict === 'certificate_expired'} /> : null}
      {verification === undefined ? null : <Checks checks={checksOfResult(verification)} />}
      {signed === undefined ? <Facts facts={report.facts} /> : null}
      <Claims claims={report.claims} />
      <NotesList report={report} exclude={['claims_not_proven']} />
      <JudgedBy verifier={verification?.verifier ?? VERIFIER} at={at} />
    </article>
  );
}
