import type { El } from '../dom/document.ts';
import { MARK } from './marks.ts';
import { type Region, type Run, sameBlock } from './region.ts';

/** Two digits, a currency behind them or not, right after a whole number of the same small element: its cents. */
export function isCentsOfBefore(region: Region, i: number, run: Run): boolean {
  const before = region.runs[i - 1];
  const digits = CENTS.exec(run.text);
  if (before === undefined || digits === null) return false;
  if (/^[.,]$/.test(before.text)) return true;
  if (!sameBlock(before, run)) return false;
  // with a currency behind it, it may be a whole price of its own, were it not named as a part of one
  if (digits[2] === '' && digits[1] === '') return /\d[.,]?$/.test(before.text);
  return /^[^\d]{0,4}\d[\d ]*$/.test(before.text) && (before.marks & run.marks & MARK.price) !== 0;
}

const CENTS = /^([.,]?)\d{2}\s*([^\d\s]{0,4})$/;

/** The run with what completes it: a currency before or after it, cents set high. */
export function joined(region: Region, i: number, run: Run): string {
  let text = run.text;
  const before = region.runs[i - 1];
  const after = region.runs[i + 1];
  // a mark right after another number is that number's, unless it stands closer to this one
  const other = region.runs[i - 2];
  const own =
    before === undefined ||
    other === undefined ||
    !/\d\s*$/.test(other.text) ||
    !sameBlock(other, run) ||
    sharedDepth(before, run) > sharedDepth(other, before);
  if (
    before !== undefined &&
    own &&
    before.text.length <= 4 &&
    !/\d/.test(before.text) &&
    sameBlock(before, run)
  ) {
    text = `${before.text} ${text}`;
  }
  const split = splitDecimals(region, i, text);
  if (split !== undefined) return split;
  if (after !== undefined && sameBlock(run, after)) {
    if (/[^\d\s]|^[.,]/.test(after.text) && isCentsOfBefore(region, i + 1, after) && !/[.,]\d/.test(text)) {
      text = `${text}.${after.text.replace(/^[.,]/, '')}`;
    } else if (/^\d{2}$/.test(after.text) && /^\d+\s?\p{Sc}$/u.test(text)) {
      text += after.text;
    } else if (/^\d{2}$/.test(after.text) && /\d[.,]?$/.test(text) && !/[.,]\d/.test(text)) {
      text = `${text.replace(/[.,]$/, '')}.${after.text}`;
      const mark = region.runs[i + 2];
      if (mark !== undefined && mark.text.length <= 4 && !/\d/.test(mark.text)) text += ` ${mark.text}`;
    } else if (after.text.length <= 5 && !/\d/.test(after.text)) {
      text += ` ${after.text}`;
      // `259,` `–` `€`: dashes in the place of the cents
      const mark = region.runs[i + 2];
      if (
        /^[-–—]{1,2}$/.test(after.text) &&
        mark !== undefined &&
        mark.text.length <= 4 &&
        !/\d/.test(mark.text)
      )
        text += ` ${mark.text}`;
    }
  }
  return text;
}

/** `12` `.` `99` in three runs, with what follows as its currency. */
function splitDecimals(region: Region, i: number, text: string): string | undefined {
  const [point, cents, mark] = [region.runs[i + 1], region.runs[i + 2], region.runs[i + 3]];
  if (point === undefined || cents === undefined) return undefined;
  if (!/^[.,]$/.test(point.text.trim()) || !/^\d{2}$/.test(cents.text.trim()) || !/\d$/.test(text))
    return undefined;
  const currency =
    mark !== undefined && mark.text.length <= 4 && !/\d/.test(mark.text) ? ` ${mark.text}` : '';
  return `${text}.${cents.text.trim()}${currency}`;
}

/** Depth of the innermost element that holds both runs. */
function sharedDepth(a: Run, b: Run): number {
  let at: El | null = a.owner;
  while (at !== null && (b.owner.index < at.index || b.owner.index >= at.end)) at = at.parent;
  return at?.depth ?? 0;
}
