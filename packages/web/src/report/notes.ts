/** A parsed entry of `findings`, `warnings` and `errors`. */
interface Note {
  readonly code: string;
  /** The original text without the code. */
  readonly sentence: string;
  /** A reported value; untrusted. */
  readonly detail?: string;
  readonly expected?: string | undefined;
  readonly found?: string | undefined;
}

type Sentences = Readonly<Record<string, string>>;

/**
 * Splits `code: sentence`, and extracts the values in the sentence: a detail after its colon, or the compared values.
 *
 * @param known - the English sentences by code, as they appear in reports
 */
export function parseNote(entry: string, known: Sentences): Note {
  const colon = entry.indexOf(': ');
  if (colon <= 0) return { code: '', sentence: entry };
  const code = entry.slice(0, colon);
  const sentence = entry.slice(colon + 2);
  const plain = Object.hasOwn(known, code) ? known[code] : undefined;
  if (plain === undefined || sentence === plain) return { code, sentence };
  const lead = plain.replace(/\.$/, ': ');
  if (sentence.startsWith(lead)) return { code, sentence, detail: sentence.slice(lead.length) };
  if (!sentence.startsWith(`${plain} `)) return { code, sentence };
  const rest = sentence.slice(plain.length + 1);
  const both = /^Expected ([\s\S]*?)\.(?: Found ([\s\S]*)\.)?$/.exec(rest);
  const alone = /^Found ([\s\S]*)\.$/.exec(rest);
  const expected = both?.[1];
  const found = both?.[2] ?? alone?.[1];
  if (expected === undefined && found === undefined) return { code, sentence, detail: rest };
  return { code, sentence, expected, found };
}
