import { parseNote } from '../../report/notes.ts';
import { Untrusted, useSetting } from '../../ui/text.tsx';

/** A `code: sentence` of the service, in the reader's language where its code is known, and what was compared. */
export function Reason({ note }: { note: string }) {
  const { texts, known, language } = useSetting();
  const { expected: expectedWord, found: foundWord } = texts.report.checks;
  const { code, sentence, detail, expected, found } = parseNote(note, known);
  const sentences: Readonly<Record<string, string>> = {
    ...texts.pageCodes,
    ...texts.reasons,
    ...texts.sweepCodes,
  };
  const own = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  if (own === undefined)
    return (
      <p class="hint" lang={language === 'en' ? undefined : 'en'}>
        <Untrusted text={sentence} />
      </p>
    );
  return (
    <p class="hint">
      {own}
      <Value text={detail} />
      <Value label={expectedWord} text={expected} />
      <Value label={foundWord} text={found} />
    </p>
  );
}

function Value({ label, text }: { label?: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <>
      {label === undefined ? ' ' : ` ${label}: `}
      <Untrusted text={text} code />
    </>
  );
}
