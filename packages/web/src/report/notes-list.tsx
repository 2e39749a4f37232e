import type { PageReport } from '@touchstone/contract';
import { Untrusted, useSetting } from '../ui/text.tsx';
import { parseNote } from './notes.ts';

/**
 * The notes of a report, in the user's language if their code is known.
 *
 * @param told - codes that are shown elsewhere
 */
export function NotesList({
  report,
  told = [],
}: {
  report: Pick<PageReport, 'errors' | 'warnings' | 'findings'>;
  told?: readonly string[];
}) {
  const { texts, known } = useSetting();
  const { report: words, reasons, pageCodes } = texts;
  const sentences: Readonly<Record<string, string>> = { ...pageCodes, ...reasons };
  const groups = [
    [words.notes.errors, report.errors] as const,
    [words.notes.warnings, report.warnings] as const,
    [
      words.notes.findings,
      report.findings.filter((entry) => !/^(?:image_(?!address)|images_not_compared)/.test(entry)),
    ] as const,
  ].map(
    ([title, entries]) =>
      [title, entries.filter((entry) => !told.includes(parseNote(entry, known).code))] as const,
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
            {entries.map((entry) => {
              const { code, sentence, detail } = parseNote(entry, known);
              const own = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
              return (
                <li key={entry}>
                  {own === undefined ? <Untrusted text={sentence} /> : own}
                  {own === undefined || detail === undefined ? null : (
                    <>
                      {' '}
                      <Untrusted text={detail} code />
                    </>
                  )}
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </section>
  );
}
