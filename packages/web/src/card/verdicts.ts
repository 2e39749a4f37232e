import type { VerificationResult } from '@touchstone/certificate';
import type { ItemAnswer, PageReport } from '@touchstone/contract';
import { comparedLines } from '../report/comparison-lines.ts';
import { TONE_OF, type Tone } from '../report/tones.ts';
import type { CardTexts } from './card-texts.ts';
import { dayOf, momentOf, monthOf, named, type Phrase, quoted } from './phrases.ts';

/** One verdict as the card shows it. */
export interface Verdict {
  readonly tone: Tone;
  /** Of the conclusion; for programs that read the card, such as tests. */
  readonly code: string;
  /** Which of several items it is about. */
  readonly label?: Phrase;
  /** What is told before it: hosts that the page's own resembles. */
  readonly first: readonly Phrase[];
  readonly title: Phrase;
  readonly further: readonly Phrase[];
  readonly rows: readonly Row[];
  /** When it was found out. */
  readonly last?: Phrase;
}

/** A term, with what is told of it. */
export interface Row {
  readonly term: string;
  readonly isDifference?: boolean;
  readonly values: readonly Phrase[];
}

interface Site {
  readonly texts: CardTexts;
  readonly language: string;
}

type Signed = NonNullable<VerificationResult['signed']>;

interface Concluded {
  readonly conclusion: {
    readonly code: string;
    readonly level: keyof typeof TONE_OF;
    readonly sentence: string;
  };
  readonly verdict: string;
  readonly signed: Signed | undefined;
  readonly page: string | undefined;
}

/** The verdicts in the result of a tool; a fault and what is not understood are told as such, and never look good. */
export function verdictsIn(result: unknown, site: Site): readonly Verdict[] {
  const { structuredContent: data, isError } = (result ?? {}) as Readonly<Record<string, unknown>>;
  try {
    if (isError === true) return [faultOf(data, site)];
    const { results } = data as { readonly results?: readonly ItemResult[] };
    if (Array.isArray(results)) return results.map((one, at) => itemVerdict(one, at, results.length, site));
    return [
      Object.hasOwn(data as object, 'mc4p')
        ? pageVerdict(data as PageReport, site)
        : documentVerdict(data as VerificationResult, site),
    ];
  } catch {
    return [plain(site.texts.card.unknown, 'unknown')];
  }
}

/** A sentence of the card's own, without a verdict. */
export function plain(title: string, code: string): Verdict {
  return { tone: 'neutral', code, first: [], title: [title], further: [], rows: [] };
}

function faultOf(data: unknown, { texts }: Site): Verdict {
  const { error } = (data ?? {}) as { readonly error?: { readonly code: string; readonly message: string } };
  const told: Phrase[] = error === undefined ? [] : [[quoted(error.message, 'en')]];
  return {
    ...plain(texts.card.failed, error?.code ?? 'fault'),
    further: [[texts.card.failedMeaning], ...told],
  };
}

/**
 * What is concluded, in the words of the pages. Only the one conclusion that is good on a verified page looks good, whatever the level says; a
 * code that the card does not know keeps the service's own sentence.
 */
function concluded({ conclusion, verdict, signed, page }: Concluded, { texts, language }: Site) {
  const { code, level, sentence } = conclusion;
  const isGood = code === 'issued_to_proven_host' && level === 'good' && verdict === 'verified';
  if (level === 'good' && !isGood) return plain(texts.card.contradicts, code);
  const words = Object.hasOwn(texts.conclusions, code) ? texts.conclusions[code] : undefined;
  const [title, ...further] = (words ?? []).map((text) => named(text, { signed, page, texts, language }));
  return {
    tone: Object.hasOwn(TONE_OF, level) ? TONE_OF[level] : ('neutral' as const),
    code,
    first: [],
    title: title ?? [quoted(sentence, 'en')],
    further,
  };
}

function pageVerdict(report: PageReport, site: Site): Verdict {
  const { texts, language } = site;
  const { mc4p, final_url: page, conclusion, verdict, related = [], fetched_at: at } = report;
  return {
    ...concluded({ conclusion, verdict, signed: mc4p.signed, page }, site),
    first: related.map(({ host, provenSince }) =>
      named(texts.related, { values: { host: quoted(host), month: monthOf(provenSince, language) } }),
    ),
    rows: [
      { term: texts.pageChecked, values: [[quoted(page)]] },
      ...differences(report, texts),
      ...signedRows(mc4p.signed, site),
      ...withdrawalRows(mc4p.withdrawal, texts),
    ],
    last: named(texts.checkedAt, { values: { when: momentOf(at, language) } }),
  };
}

function documentVerdict(
  { conclusion, status, signed, withdrawal }: VerificationResult,
  site: Site,
): Verdict {
  return {
    ...concluded({ conclusion, verdict: status, signed, page: undefined }, site),
    rows: [...signedRows(signed, site), ...withdrawalRows(withdrawal, site.texts)],
  };
}

interface ItemResult {
  readonly result?: ItemAnswer;
  readonly error?: { readonly code: string; readonly message: string };
}

function itemVerdict({ result, error }: ItemResult, at: number, of: number, site: Site): Verdict {
  const { texts } = site;
  const label = of === 1 ? {} : { label: named(texts.card.item, { values: { number: String(at + 1) } }) };
  if (result === undefined) return { ...faultOf({ error }, site), ...label };
  const { conclusion, status: verdict, signed, item, fields, offeredBy } = result;
  const names: Readonly<Record<string, string>> = { ...texts.fields, ...texts.card.fields };
  const differing = Object.entries(fields)
    .filter(([, field]) => field.result === 'differs')
    .map(
      ([name, field]): Row => ({
        term: `${names[name] ?? name}: ${texts.card.differs}`,
        isDifference: true,
        values: [...sided(texts.signed, field.signed), ...sided(texts.card.statedByItem, field.stated)],
      }),
    );
  return {
    ...concluded({ conclusion, verdict, signed: signed as Signed | undefined, page: item.link }, site),
    ...label,
    rows: [
      ...(item.name === undefined ? [] : [{ term: texts.fields.name, values: [[quoted(item.name)]] }]),
      ...differing,
      ...(offeredBy === undefined ? [] : [{ term: texts.card.offeredBy, values: [[quoted(offeredBy)]] }]),
      ...signedRows(signed as Signed | undefined, site),
    ],
  };
}

/** What the page states beside what was signed, where the two were compared; differences first. */
function differences(report: PageReport, texts: CardTexts): Row[] {
  return comparedLines(report)
    .filter(({ result }) => result === 'different' || result === 'not_comparable')
    .map(({ field, result, signed, stated }) => ({
      term:
        result === 'different' ? `${texts.fields[field]}: ${texts.different[field]}` : texts.fields[field],
      isDifference: result === 'different',
      values: [...sided(texts.signed, signed), ...sided(texts.stated, stated)],
    }));
}

/** Values that are shown of one side. */
const SHOWN = 3;

function sided(side: string, value: string | readonly string[] | undefined): Phrase[] {
  return [value ?? []]
    .flat()
    .slice(0, SHOWN)
    .map((text) => [`${side}: `, quoted(text)]);
}

function signedRows(signed: Signed | undefined, { texts, language }: Site): Row[] {
  if (signed === undefined) return [];
  return [
    { term: texts.product, values: sided(texts.signed, signed.productName) },
    { term: texts.shop, values: sided(texts.signed, signed.storeName) },
    { term: texts.expiresAt, values: [[dayOf(signed.expiresAt, language)]] },
  ];
}

function withdrawalRows(withdrawal: VerificationResult['withdrawal'], texts: CardTexts): Row[] {
  if (withdrawal === undefined) return [];
  return [{ term: texts.withdrawal, values: [[texts.states[withdrawal.status ?? 'unknown']]] }];
}
