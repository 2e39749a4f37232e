import type { PageReport } from '@touchstone/contract';
import { Untrusted, useSetting } from '../ui/text.tsx';
import { parseNote } from './notes.ts';

/** All that a report says beside its verdict, in the reader's language where its code is known. */
export function NotesList({ report }: { report: PageReport }) {
  const { texts, known } = useSetting();
  const { report: words, reasons, pageCodes } = texts;
  const sentences: Readonly<Record<string, string>> = { ...pageCodes, ...reasons };
  const groups = [
    [words.notes.errors, report.errors],
    [words.notes.warnings, report.warnings],
    [words.notes.findings, report.findings.filter((entry) => !/^image_(?!address)/.test(entry))],
  ] as const;
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
