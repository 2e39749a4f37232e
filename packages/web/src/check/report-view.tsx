import { type ConclusionCode, isAboutAnotherPage } from '@touchstone/certificate';
import { checksOfReport } from '../report/check-views.ts';
import { Checks, FailedChecks } from '../report/checks.tsx';
import { Claims } from '../report/claims.tsx';
import { Comparison } from '../report/comparison.tsx';
import { concernedIn } from '../report/conclusion-texts.tsx';
import { Facts } from '../report/facts.tsx';
import { Images, imagesOf } from '../report/images.tsx';
import { Known, NotesList, Why } from '../report/notes-list.tsx';
import { RelatedHosts } from '../report/related-hosts.tsx';
import { Scope } from '../report/scope.tsx';
import { Signed } from '../report/signed.tsx';
import { Verdict } from '../report/verdict.tsx';
import { WithdrawalFact } from '../report/withdrawal.tsx';
import { Fill, Moment, plural, Untrusted, UntrustedLink, useSetting } from '../ui/text.tsx';
import { Keep } from './keep.tsx';
import { PicturesElsewhere } from './pictures-elsewhere.tsx';
import { ProductList } from './product-list.tsx';
import { Receipt } from './receipt.tsx';
import { SignedPictures } from './signed-pictures.tsx';
import type { CheckState, How } from './use-checks.ts';

/** Conclusions whose title does not say which check failed. */
const UNSOUND: readonly ConclusionCode[] = ['checks_failed', 'altered', 'not_signed_by_issuer'];
/** Conclusions that send the reader to the signed page. */
const ELSEWHERE: readonly ConclusionCode[] = ['another_host_of_shop', 'another_page', 'unknown_parameter'];

/** Findings about a page without a certificate that the service has from elsewhere: about its host, address and pictures. */
const KNOWN_HERE = /^(?:host_certified|product_certified|pictures_)/;

/** Findings that have a part of their own. */
const TOLD_ABOVE = /^(?:lookalike_host|claims_not_proven):/;

interface ReportViewProps {
  readonly state: Extract<CheckState, { kind: 'report' }>;
  readonly baseUrl: string;
  onCheck(url: string, how?: How): void;
}

/** A report, beginning with the verdict. */
export function ReportView({ state, baseUrl, onCheck }: ReportViewProps) {
  const { language, texts, known } = useSetting();
  const { report: words, check: own } = texts;
  const { report, freshLeft, kept } = state;
  const checks = checksOfReport(report, known);
  const { signed, present } = report.mc4p;
  const { code } = report.conclusion;
  const isPage = report.verdict !== 'page_fetch_failed' && report.verdict !== 'password_protected';
  // without checks, errors explain the conclusion
  const why = checks === null ? report.errors : [];
  const knownHere = checks === null ? report.findings.filter((entry) => KNOWN_HERE.test(entry)) : [];
  const isList = code === 'product_list';
  const notes = {
    ...report,
    // the certificates of a list are for other pages, which is no failure of the list
    errors: isList ? [] : report.errors.filter((entry) => !why.includes(entry)),
    findings: report.findings.filter((entry) => !knownHere.includes(entry) && !TOLD_ABOVE.test(entry)),
  };
  const leadsTo =
    code === 'redirected' ? report.final_url : ELSEWHERE.includes(code) ? signed?.url : undefined;
  const areLookedUp = report.findings.some((entry) => entry.startsWith('pictures_'));
  const areCompared = imagesOf(report, known).every(({ found }) => found !== undefined);
  const isMatched = areLookedUp || imagesOf(report, known).some(({ found }) => found !== undefined);
  const receipt = (
    <Receipt
      report={report}
      baseUrl={baseUrl}
      onAsk={() => onCheck(report.url, { receipt: true, ...(isMatched && { images: 'match' }) })}
    />
  );
  return (
    <article class="report">
      {present ? null : <RelatedHosts related={report.related} />}
      <Verdict conclusion={report.conclusion} verdict={report.verdict} about={concernedIn(report)}>
        {isAboutAnotherPage(report) && code !== 'redirected' ? (
          <p class="why">
            <Fill text={words.redirected} values={{ page: <Untrusted text={report.final_url} /> }} />
          </p>
        ) : null}
        {checks !== null && UNSOUND.includes(code) ? <FailedChecks checks={checks} /> : null}
        <Why errors={why} />
        <Known findings={knownHere} />
        {present ? <RelatedHosts related={report.related} /> : null}
        <dl class="about">
          <div>
            <dt>{words.pageChecked}</dt>
            <dd>
              <UntrustedLink url={report.final_url} />
            </dd>
          </div>
          {report.final_url === report.url ? null : (
            <div>
              <dt>{words.askedFor}</dt>
              <dd>
                <UntrustedLink url={report.url} />
              </dd>
            </div>
          )}
          <div>
            <dt>{words.verdict}</dt>
            <dd>
              <code>{report.verdict}</code>
            </dd>
          </div>
        </dl>
        <p class="small">
          <Fill text={words.checkedAt} values={{ when: <Moment at={report.fetched_at} isZoned /> }} />
          {kept ? ` · ${own.kept}` : ''}
        </p>
        <div class="actions">
          {leadsTo === undefined ? null : (
            <button type="button" class="button primary" onClick={() => onCheck(leadsTo)}>
              {own.checkLanding}
            </button>
          )}
          <button type="button" class="button" onClick={() => onCheck(report.url, { freshness: 'fresh' })}>
            {kept ? own.checkNow : own.again}
          </button>
          {freshLeft === undefined ? null : (
            <span class="small">{plural(language, own.left, freshLeft)}</span>
          )}
        </div>
      </Verdict>
      {report.receipt === undefined ? null : receipt}
      {isList ? null : <WithdrawalFact withdrawal={report.mc4p.withdrawal} />}
      <ProductList mc4p={report.mc4p} />
      {signed === undefined || !isPage || isList ? null : (
        <Comparison
          report={report}
          pictures={(addresses) => <SignedPictures productId={signed.productId} addresses={addresses} />}
        />
      )}
      {/* without checks, it is unknown what is validly signed */}
      {present && !isList && (signed !== undefined || checks !== null) ? (
        <Signed signed={signed ?? null} isPast={report.verdict === 'certificate_expired'} />
      ) : null}
      <Scope />
      {checks === null || isList ? null : <Checks checks={checks} />}
      {isPage && (signed === undefined || isList) ? <Facts facts={report.facts} /> : null}
      <Claims claims={report.claims} />
      {isPage ? (
        <Images report={report}>
          {report.facts.images.length === 0 || areCompared || areLookedUp ? null : (
            <button type="button" class="button" onClick={() => onCheck(report.url, { images: 'match' })}>
              {report.mc4p.present ? words.images.compare : words.images.lookUp}
            </button>
          )}
        </Images>
      ) : null}
      {isPage && report.conclusion.level !== 'good' && report.facts.images.length > 0 ? (
        <PicturesElsewhere report={report} />
      ) : null}
      <NotesList report={notes} exclude={checks?.flatMap(({ reason = [] }) => reason) ?? []} />
      {report.receipt === undefined ? receipt : null}
      <Keep id={report.id} baseUrl={baseUrl} />
    </article>
  );
}
