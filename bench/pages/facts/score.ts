import type { Answer, PageCase, Truth } from './corpus.ts';

export const ATTRIBUTES = ['price', 'currency', 'availability', 'sku', 'brand'] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

/** The currencies that the currency marks of the ground truth may mean. Printed with the results. */
export const MARK_TABLE: Readonly<Record<string, readonly string[]>> = {
  $: ['USD', 'CAD', 'AUD', 'NZD'],
  '€': ['EUR'],
  '£': ['GBP'],
  '₽': ['RUB'],
  Rs: ['PKR', 'INR', 'LKR'],
  CHF: ['CHF'],
  Lei: ['RON'],
  Kn: ['HRK'],
  zł: ['PLN'],
  '원~': ['KRW'],
  원: ['KRW'],
  '₪': ['ILS'],
  'р.': ['BYN', 'RUB'],
  'руб.': ['BYN', 'RUB'],
  'b.p.': ['BYN'],
};

export type Outcome = 'right' | 'wrong' | 'missed' | 'invented' | 'silent' | 'unlabelled';

/** Compares one attribute of one page. */
export function judge(attribute: Attribute, truth: Truth, answer: Answer): Outcome {
  const given = answer[attribute];
  const wanted = truth[attribute];
  const optional = truth.optional?.includes(attribute) === true;
  if (optional && (given === undefined || wanted === undefined))
    return given === undefined ? 'silent' : 'unlabelled';
  if (wanted === undefined) {
    if (given === undefined) return 'silent';
    // the annotators omitted the currency of some labelled prices
    return attribute === 'currency' && truth.price !== undefined ? 'unlabelled' : 'invented';
  }
  if (given === undefined) return 'missed';
  return wanted.some((value) => same(attribute, value, given)) ? 'right' : 'wrong';
}

function same(attribute: Attribute, wanted: string, given: string): boolean {
  switch (attribute) {
    case 'price':
      return Number(wanted.trim()) === Number(given.trim());
    case 'currency':
      return (MARK_TABLE[wanted] ?? [wanted]).includes(MARK_TABLE[given]?.[0] ?? given) || wanted === given;
    case 'availability':
      return stockClass(wanted) === stockClass(given);
    default:
      return normalised(wanted) === normalised(given);
  }
}

/** The ground truth distinguishes two classes only. */
function stockClass(name: string): string {
  return ['OutOfStock', 'SoldOut', 'Discontinued'].includes(name) ? 'OutOfStock' : 'InStock';
}

function normalised(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

export interface Figures {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** F1 over the pages whose annotators labelled the attribute, since annotators overlook values on pages. */
  readonly labelledF1: number;
  /** Share of the pages with another value than the true one, or with one where there is none. */
  readonly wrongRate: number;
  readonly counts: Readonly<Record<Outcome, number>>;
}

export function figures(outcomes: readonly Outcome[], strict = false): Figures {
  const counts = { right: 0, wrong: 0, missed: 0, invented: 0, silent: 0, unlabelled: 0 };
  for (const outcome of outcomes) counts[outcome]++;
  const given = counts.right + counts.wrong + counts.invented + (strict ? counts.unlabelled : 0);
  const wanted = counts.right + counts.wrong + counts.missed;
  const precision = given === 0 ? 0 : counts.right / given;
  const recall = wanted === 0 ? 0 : counts.right / wanted;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  const labelled = counts.right + counts.wrong;
  const labelledF1 = counts.right === 0 ? 0 : (2 * counts.right) / (labelled + wanted);
  const wrongRate = outcomes.length === 0 ? 0 : (counts.wrong + counts.invented) / outcomes.length;
  return { precision, recall, f1, labelledF1, wrongRate, counts };
}

/** Recall and precision of OutOfStock only. */
export function outOfStock(
  cases: readonly PageCase[],
  answers: Readonly<Record<string, Answer>>,
): { recall: string; precision: string } {
  let wanted = 0;
  let given = 0;
  let right = 0;
  for (const { id, truth } of cases) {
    const value = answers[id]?.availability;
    const said = value !== undefined && stockClass(value) === 'OutOfStock';
    const is = truth.availability?.some((name) => stockClass(name) === 'OutOfStock') === true;
    if (is) wanted++;
    if (said) given++;
    if (is && said) right++;
  }
  return { recall: `${right}/${wanted}`, precision: `${right}/${given}` };
}
