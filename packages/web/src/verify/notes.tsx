import { parseNote } from '../report/notes.ts';
import { Untrusted, useSetting } from '../ui/text.tsx';

/** Warnings in the user's language, if their codes are known. */
export function Notes({ notes }: { notes: readonly string[] }) {
  const { texts, known } = useSetting();
  const sentences: Readonly<Record<string, string>> = {
    ...texts.profileReasons,
    ...texts.withdrawalReasons,
    ...texts.logReasons,
    ...texts.reasons,
  };
  if (notes.length === 0) return null;
  return (
    <section aria-labelledby="notes">
      <h2 id="notes">{texts.verify.result.warnings}</h2>
      <ul class="notes">
        {notes.map((note) => {
          const { code, sentence } = parseNote(note, known);
          return (
            <li key={note} data-note={code}>
              {sentences[code] ?? <Untrusted text={sentence} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
