import type { Site } from '@touchstone/contract';
import { Month } from '../ui/month.tsx';
import type { PageData } from '../ui/page-data.ts';
import { ProblemNotice } from '../ui/problem.tsx';
import { Fill, Untrusted, useTexts } from '../ui/text.tsx';

/** What is known of a host, for people. */
export function SitePage({ data: { answer, problem } }: { data: PageData<Site> }) {
  if (answer !== undefined) return <KnownSite site={answer} />;
  if (Array.isArray(problem?.detail)) return <Malformed />;
  return problem === undefined ? null : <ProblemNotice problem={problem} />;
}

function KnownSite({ site }: { site: Site }) {
  const { site: words } = useTexts();
  const { host, unicode, status, resembles = [] } = site;
  const values = { host: <Untrusted text={unicode ?? host} /> };
  return (
    <article class="site" data-status={status}>
      <h1>
        <Fill text={words.title} values={values} />
      </h1>
      {resembles.map((resembled) => (
        <Resembled key={resembled.host} resembled={resembled} />
      ))}
      {status === 'proven' ? (
        <Proven site={site} />
      ) : (
        <Unknown host={unicode ?? host} isAlone={resembles.length === 0} />
      )}
      {unicode === undefined ? null : (
        <p class="small">
          <Fill text={words.shownAs} values={{ ascii: <Untrusted text={host} /> }} />
        </p>
      )}
      <p class="actions">
        <a class="button primary" href="/">
          {words.checkPage}
        </a>
      </p>
    </article>
  );
}

function Resembled({ resembled }: { resembled: NonNullable<Site['resembles']>[number] }) {
  const { site: words } = useTexts();
  const { host, provenSince, kinds } = resembled;
  return (
    <section class="notice" data-tone="caution" data-resembles={host}>
      <p>
        <strong>
          <Fill
            text={words.resembles}
            values={{ host: <Untrusted text={host} />, month: <Month month={provenSince} /> }}
          />
        </strong>
      </p>
      <p>
        {words.how}: {kinds.map((kind) => words.kinds[kind]).join(', ')}.
      </p>
      <p>{words.resemblesNext}</p>
    </section>
  );
}

function Proven({ site: { host, unicode, provenSince = '', publishesCertificates } }: { site: Site }) {
  const { site: words } = useTexts();
  return (
    <section class="notice" data-tone="neutral">
      <p>
        <Fill
          text={words.proven}
          values={{ host: <Untrusted text={unicode ?? host} />, month: <Month month={provenSince} /> }}
        />{' '}
        {publishesCertificates === true ? words.certificates : words.noCertificates}
      </p>
      <p>{words.provenNext}</p>
    </section>
  );
}

function Unknown({ host, isAlone }: { host: string; isAlone: boolean }) {
  const { site: words } = useTexts();
  return (
    <section class="notice" data-tone="neutral">
      <p>
        <Fill text={words.unknown} values={{ host: <Untrusted text={host} /> }} />
      </p>
      {isAlone ? <p>{words.unknownNext}</p> : null}
    </section>
  );
}

function Malformed() {
  const { site: words } = useTexts();
  return (
    <section class="notice" data-tone="neutral" data-code="no_host">
      <h1>{words.noHost}</h1>
      <p>{words.bad}</p>
    </section>
  );
}
