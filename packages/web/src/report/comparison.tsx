import type { PageReport } from '@touchstone/contract';
import type { ComponentChildren } from 'preact';
import { plural, Untrusted, UntrustedLink, useSetting } from '../ui/text.tsx';
import { type ComparedLine, comparedLines } from './comparison-lines.ts';
import { factLines, LongText } from './facts.tsx';
import { fileNameOf } from './images.tsx';

interface ComparisonProps {
  readonly report: Pick<PageReport, 'agreement' | 'facts' | 'mc4p'>;
  /** Shows the signed pictures at these addresses; by default, their addresses. */
  readonly pictures?: ((addresses: readonly string[]) => ComponentChildren) | undefined;
}

/** What was signed beside what the page states, one line per field; then what it only states, which nobody signed. */
export function Comparison({ report, pictures }: ComparisonProps) {
  const { language, texts } = useSetting();
  const { comparison: words } = texts.report;
  return (
    <section class="comparison" aria-labelledby="comparison">
      <h2 id="comparison">{words.title}</h2>
      <p class="small">{words.intro}</p>
      <dl class="lines">
        {comparedLines(report).map((line) => (
          <Line key={line.field} line={line} pictures={pictures} />
        ))}
        {factLines(report.facts, texts.report.facts, language)
          .filter(({ name }) => !COMPARED.includes(name))
          .map(({ name, text }) => (
            <div key={name} data-field={name}>
              <dt>{texts.report.facts[name]}</dt>
              <dd>
                <span class="which">{words.signed}</span>
                <span class="absent">{words.notSigned}</span>
              </dd>
              <dd>
                <span class="which">{words.stated}</span>
                <LongText text={text} />
              </dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

/** Facts that have a line of their own. */
const COMPARED: readonly string[] = ['name', 'brand', 'sku'];

interface LineProps extends Pick<ComparisonProps, 'pictures'> {
  readonly line: ComparedLine;
}

function Line({ line: { field, result, signed, stated, source }, pictures }: LineProps) {
  const { comparison: words } = useSetting().texts.report;
  const isPictures = field === 'pictures';
  const signedValues = isPictures ? (
    (pictures?.(signed) ?? <Addresses urls={signed} />)
  ) : (
    <Values values={signed} />
  );
  return (
    <div data-field={field} data-result={result}>
      <dt>
        {words.fields[field]}
        {/* what is missing on either side is told there */}
        {result === undefined || result === 'not_signed' || result === 'not_stated' ? null : (
          <span class="agreement">
            {result === 'different' ? words.different[field] : words.results[result]}
          </span>
        )}
      </dt>
      <dd>
        <span class="which">{words.signed}</span>
        {signed.length === 0 && !(isPictures && pictures !== undefined) ? (
          <span class="absent">{result === undefined ? words.notCompared : words.notSigned}</span>
        ) : (
          signedValues
        )}
      </dd>
      <dd>
        <span class="which">{words.stated}</span>
        {stated.length === 0 ? <span class="absent">{words.notStated}</span> : null}
        {isPictures ? <Addresses urls={stated} /> : <Values values={stated} />}
        {source === undefined ? null : <span class="source">{words.sources[source]}</span>}
      </dd>
    </div>
  );
}

function Values({ values }: { values: readonly string[] }) {
  return values.map((value) => (
    <p key={value}>
      <Untrusted text={value} />
    </p>
  ));
}

/** Addresses that are listed; a page may have many pictures. */
const LISTED = 3;

/** Pictures as links: showing them would send requests to the shop. */
function Addresses({ urls }: { urls: readonly string[] }) {
  const { language, texts } = useSetting();
  const further = urls.length - LISTED;
  return (
    <>
      {urls.slice(0, LISTED).map((url) => (
        <p key={url}>
          <UntrustedLink url={url} label={fileNameOf(url)} />
        </p>
      ))}
      {further > 0 ? <p class="small">{plural(language, texts.report.comparison.further, further)}</p> : null}
    </>
  );
}
