import type { DomainLog } from '@touchstone/contract';
import { CopyButton } from '../ui/keep.tsx';
import { domainLogPath } from '../ui/log-paths.ts';
import { hasPart, type PageData } from '../ui/page-data.ts';
import { ProblemNotice } from '../ui/problem.tsx';
import { Fill, Untrusted, useTexts } from '../ui/text.tsx';
import { EntryView } from './entry-view.tsx';
import { HostForm } from './host-form.tsx';

/** What was issued for a domain and its subdomains, and what its owner should do about it. */
export function DomainLogPage({
  data: { answer, problem, baseUrl, address },
}: {
  data: PageData<DomainLog>;
}) {
  const faults = Array.isArray(problem?.detail) ? problem.detail : undefined;
  return (
    <article class="domain-log">
      {answer === undefined ? null : <Head log={answer} />}
      <HostForm host={answer?.domain ?? hostIn(address)} />
      {answer === undefined ? null : <Entries log={answer} />}
      {answer === undefined ? null : <Conclude log={answer} baseUrl={baseUrl} />}
      {faults === undefined ? null : <Malformed faults={faults} address={address} />}
      {problem === undefined || faults !== undefined ? null : <ProblemNotice problem={problem} />}
    </article>
  );
}

function Head({ log: { domain, statement, isProven, isSignedIn, entries } }: { log: DomainLog }) {
  const { domainLog: words } = useTexts();
  const { names } = words;
  const host = <Untrusted text={domain} />;
  // on another's domain, one may still see what one has ordered
  const isOpen = isProven || entries.some(({ salt }) => salt !== undefined);
  const seen = isOpen ? 'open' : isSignedIn ? 'notYours' : 'closed';
  return (
    <>
      <h1>
        <Fill text={words.title} values={{ domain: host }} />
      </h1>
      <p class="lead">
        <Fill text={words.lead} values={{ domain: host }} />
      </p>
      <p data-statement={statement}>
        <strong>{words.statements[statement]}</strong> {words.meanings[statement]}
      </p>
      <p class="small" data-names={seen}>
        {names[seen]}
        {seen === 'open' || !hasPart('console') ? null : (
          <>
            {' '}
            <a href="/console">{seen === 'notYours' ? names.prove : names.signIn}</a>
          </>
        )}
      </p>
    </>
  );
}

function Entries({ log: { domain, entries, nextCursor } }: { log: DomainLog }) {
  const { domainLog: words } = useTexts();
  const isFirst = !new URLSearchParams(location.search).has('cursor');
  if (entries.length === 0 && isFirst) return <Nothing domain={domain} />;
  return (
    <section aria-labelledby="entries">
      <h2 id="entries">{words.entries}</h2>
      {entries.length === 0 ? (
        <p data-end>{words.end}</p>
      ) : (
        <ol class="log-entries">
          {entries.map((entry) => (
            <EntryView key={`${entry.log}.${entry.index}`} entry={entry} />
          ))}
        </ol>
      )}
      <p class="actions">
        {isFirst ? null : (
          <a class="button" href={addressWith(undefined)}>
            {words.newest}
          </a>
        )}
        {nextCursor === undefined ? null : (
          <a class="button" rel="next" href={addressWith(nextCursor)}>
            {words.older}
          </a>
        )}
      </p>
      <p>
        <FeedLink domain={domain} />
      </p>
    </section>
  );
}

function Nothing({ domain }: { domain: string }) {
  const { domainLog: words } = useTexts();
  const values = { domain: <Untrusted text={domain} /> };
  return (
    <section class="notice" data-tone="neutral">
      <h2>
        <Fill text={words.none} values={values} />
      </h2>
      <p>
        <Fill text={words.noneText} values={values} />
      </p>
      <p>
        <FeedLink domain={domain} />
      </p>
    </section>
  );
}

function FeedLink({ domain }: { domain: string }) {
  const { domainLog: words } = useTexts();
  return (
    <a href={`${domainLogPath(domain)}/feed`} type="application/atom+xml">
      {words.feed}
    </a>
  );
}

function Conclude({ log: { domain, entries }, baseUrl }: { log: DomainLog; baseUrl: string }) {
  const { domainLog, common } = useTexts();
  const { conclude: words } = domainLog;
  const command = `touchstone log monitor --domain ${domain} ${baseUrl}`;
  return (
    <section aria-labelledby="conclude">
      <h2 id="conclude">{words.title}</h2>
      <ul>
        {(entries.length === 0 ? [words.prove] : [words.known, words.unknown, words.prove]).map(
          (sentence) => (
            <li key={sentence}>{sentence}</li>
          ),
        )}
      </ul>
      <p>{words.index}</p>
      <p class="command">
        <code dir="ltr">{command}</code> <CopyButton text={async () => command}>{common.copy}</CopyButton>
      </p>
    </section>
  );
}

/** The address names no host, or no page of the list. */
function Malformed({ faults, address }: { faults: readonly unknown[]; address: string }) {
  const { domainLog: words } = useTexts();
  const isHost = faults.some((fault) => (fault as { loc?: readonly unknown[] }).loc?.includes('host'));
  const [path = ''] = address.split('?');
  return (
    <section class="notice" data-tone="neutral" data-code={isHost ? 'no_host' : 'no_page'}>
      <h1>{isHost ? words.noHost : words.noPage}</h1>
      <p>{isHost ? words.bad : <a href={path}>{words.newest}</a>}</p>
    </section>
  );
}

/** This page with another cursor, in the same language. */
function addressWith(cursor: string | undefined): string {
  const url = new URL(location.href);
  if (cursor === undefined) url.searchParams.delete('cursor');
  else url.searchParams.set('cursor', cursor);
  return `${url.pathname}${url.search}`;
}

/** What stands for a host in the address of this page. */
function hostIn(address: string): string {
  const [path = ''] = address.split('?');
  const last = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
