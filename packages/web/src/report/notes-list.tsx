import type { PageReport } from '@touchstone/contract';
import { Untrusted, useSetting, useTexts } from '../ui/text.tsx';
import { parseNote } from './notes.ts';

/**
 * The notes of a report, in the user's language if their code is known.
 *
 * @param exclude - codes that are shown elsewhere
 */
export function NotesList({
  report,
  exclude = [],
}: {
  report: Pick<PageReport, 'errors' | 'warnings' | 'findings'>;
  exclude?: readonly string[];
}) {
  const { texts, known } = useSetting();
  const { report: words } = texts;
  const groups = [
    [words.notes.errors, report.errors] as const,
    [words.notes.warnings, report.warnings] as const,
    [
      words.notes.findings,
      report.findings.filter((entry) => !/^(?:image_(?!address)|images_not_compared)/.test(entry)),
    ] as const,
  ].map(
    ([title, entries]) =>
      [title, entries.filter((entry) => !exclude.includes(parseNote(entry, known).code))] as const,
  );
  const stated = groups.filter(([, entries]) => entries.length > 0);
  if (stated.length === 0) return null;
  return (
    <section aria-labelledby="notes">
      <h2 id="notes">{words.notes.title}</h2>
      {stated.map(([title, entries]) => (
        <div key={title}>
          <h3>{title}</h3>
          <ul class="notes">
            {entries.map((entry) => (
              <li key={entry}>
                <NoteText entry={entry} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** Why there was no certificate to check, below the verdict: its reader asks that first. */
export function Why({ errors }: { errors: readonly string[] }) {
  const { report: words } = useTexts();
  return errors.map((entry) => (
    <p key={entry} class="why">
      <strong>{words.checks.why}:</strong> <NoteText entry={entry} />
    </p>
  ));
}

/** What the service knows about a page without a certificate, below what is concluded. */
export function Known({ findings }: { findings: readonly string[] }) {
  return findings.map((entry) => (
    <p key={entry} class="known">
      <NoteText entry={entry} />
    </p>
  ));
}

/** A note in the reader's language where its code is known, with its value. */
function NoteText({ entry }: { entry: string }) {
  const { texts, known } = useSetting();
  const sentences: Readonly<Record<string, string>> = {
    ...texts.withdrawalReasons,
    ...texts.pageCodes,
    ...texts.reasons,
  };
  const { code, sentence, detail } = parseNote(entry, known);
  const own = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  if (own === undefined) return <Untrusted text={sentence} />;
  return (
    <>
      {own}
      {detail === undefined ? null : (
        <>
          {' '}
          <Untrusted text={detail} code />
        </>
      )}
    </>
  );
}
