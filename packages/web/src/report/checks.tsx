import { Fill, fill, Moment, plural, Untrusted, useSetting } from '../ui/text.tsx';
import { type CheckView, isAdvisory } from './check-views.ts';

/** The checks of one certificate, each with its result as text, and expected and found value side by side. */
export function Checks({ checks }: { checks: readonly CheckView[] }) {
  const { language, texts } = useSetting();
  const { checks: words } = texts.report;
  const passed = checks.filter(({ result }) => result === true).length;
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">{words.title}</h2>
      <p class="small">{fill(plural(language, words.summary, passed), { passed, total: checks.length })}</p>
      <ol class="checks">
        {checks.map((check) => (
          <Check key={check.name} check={check} />
        ))}
      </ol>
    </section>
  );
}

/** The decisive checks that failed, in one line with links to them. */
export function FailedChecks({ checks }: { checks: readonly CheckView[] }) {
  const { language, texts } = useSetting();
  const { checks: words } = texts.report;
  const failed = checks.filter(({ name, result }) => result === false && !isAdvisory(name));
  if (failed.length === 0) return null;
  const names = new Intl.ListFormat(language).formatToParts(failed.map(({ name }) => words.names[name]));
  return (
    <p class="failed-ones">
      <Fill
        text={words.failedOnes}
        values={{
          names: <a href="#checks">{names.map(({ value }) => value).join('')}</a>,
        }}
      />
    </p>
  );
}

function Check({ check: { name, result, reason, expected, found } }: { check: CheckView }) {
  const { texts } = useSetting();
  const { checks: words } = texts.report;
  // reasons of profiles exist only on some pages
  const reasons: Readonly<Record<string, string>> = {
    ...texts.profileReasons,
    ...texts.withdrawalReasons,
    ...texts.reasons,
  };
  // the site is right: the certificate is not
  const next = reason === 'certificate_withdrawn' ? texts.conclusions.withdrawn.shop : words.next[name];
  const outcome = result === null ? words.notRun : result ? words.passed : words.failed;
  const state = result === null ? 'not-run' : result ? 'passed' : 'failed';
  return (
    <li class="check" data-state={state} data-check={name}>
      <div class="check-head">
        <CheckMark state={state} />
        <h3>{words.names[name]}</h3>
        <p class="outcome">
          {outcome}
          {isAdvisory(name) ? <span class="small"> · {words.advisory}</span> : null}
        </p>
      </div>
      {result !== true && reason !== undefined && reason !== 'ok' ? <p>{reasons[reason] ?? reason}</p> : null}
      <Compared expected={expected} found={found} />
      {result === false ? (
        <p class="next-step">
          <strong>{words.nextStep}:</strong> {next}
        </p>
      ) : null}
    </li>
  );
}

/** The expected and the found value side by side; only once if they are equal. */
function Compared({ expected, found }: { expected: string | undefined; found: string | undefined }) {
  const { checks: words } = useSetting().texts.report;
  const rows: [string, string][] = [];
  if (expected !== undefined && expected === found) rows.push([words.same, expected]);
  else {
    if (expected !== undefined) rows.push([words.expected, expected]);
    if (found !== undefined) rows.push([words.found, found]);
  }
  if (rows.length === 0) return null;
  return (
    <dl class="compared">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Value text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Untrusted text, or formatted times. */
function Value({ text }: { text: string }) {
  const [from = '', to] = text.split(' – ');
  if (!MOMENT.test(from)) return <Untrusted text={text} code />;
  return (
    <>
      <Moment at={from} />
      {to === undefined ? null : (
        <>
          {' – '}
          <Moment at={to} />
        </>
      )}
    </>
  );
}

function CheckMark({ state }: { state: 'passed' | 'failed' | 'not-run' }) {
  const signs = { passed: 'm4 9 4 4 7-8', failed: 'm4 4 10 10m0-10L4 14', 'not-run': 'M4 9h10' };
  return (
    <svg class="check-mark" viewBox="0 0 18 18" aria-hidden="true" focusable="false">
      <path d={signs[state]} />
    </svg>
  );
}
