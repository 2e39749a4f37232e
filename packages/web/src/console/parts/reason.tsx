import { parseNote } from '../../report/notes.ts';
import { Fill, Untrusted, useSetting } from '../../ui/text.tsx';

/** A `code: sentence` of the service, in the user's language if its code is known, with the compared values. */
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

/** The sentence of a code, with the value in the place of `{value}` or after it; for an unknown code, the service's English sentence. */
export function CodeSentence({
  code,
  sentences,
  field = '–',
  value,
  said,
}: {
  code: string;
  sentences: Readonly<Record<string, string>>;
  /** Value of `{field}` in the sentence. */
  field?: string | undefined;
  /** Untrusted. */
  value?: string | undefined;
  said: string;
}) {
  const { language } = useSetting();
  const own = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  const hasPlace = own?.includes('{value}') === true;
  if (own === undefined || (hasPlace && value === undefined))
    return (
      <span lang={language === 'en' ? undefined : 'en'}>
        <Untrusted text={said} />
      </span>
    );
  const places = { field: <Untrusted text={field} code />, value: <Untrusted text={value ?? ''} code /> };
  return (
    <>
      <Fill text={own} values={places} />
      {hasPlace || value === '' ? null : (
        <span lang={language === 'en' ? undefined : 'en'}>
          <Value text={value} />
        </span>
      )}
    </>
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
