import { pageNote } from './codes.ts';
import type { UnnamedReport } from './types.ts';

/** Bytes of a report as JSON in UTF-8, including its id. */
export const MAX_REPORT = 65_536;

/** Bytes reserved for the id that a service adds and for the finding `report_cut`. */
const RESERVED = 512;
/** Maximum bytes of one text: a single fact, such as the name or description, or an address. */
const MAX_TEXT = 12_000;
/** Maximum characters of `field`, which names a fact's source. */
const MAX_FIELD = 200;

const encoder = new TextEncoder();

/**
 * Limits a report to 64 KB, whatever a page contains: long texts are truncated first, then lists lose their last entries.
 * Errors have priority, then warnings, findings, claims, images and explanations. The finding `report_cut` states what was left out.
 */
export function boundedReport(report: UnnamedReport): UnnamedReport {
  if (sizeOf(report) + RESERVED <= MAX_REPORT) return report;
  const cut = withTextsCut(report);
  const bare = {
    ...cut,
    facts: { ...cut.facts, images: [] },
    findings: [],
    warnings: [],
    errors: [],
    ...(cut.claims && { claims: [] }),
    ...(cut.explanation && { explanation: [] }),
  };
  let room = MAX_REPORT - RESERVED - sizeOf(bare);
  const take = <T>(entries: readonly T[]): T[] => {
    const kept: T[] = [];
    for (const entry of entries) {
      room -= sizeOf(entry) + 1;
      if (room < 0) break;
      kept.push(entry);
    }
    room = Math.max(0, room);
    return kept;
  };
  const errors = take(cut.errors);
  const warnings = take(cut.warnings);
  const findings = take(cut.findings);
  const claims = take(cut.claims ?? []);
  const images = take(cut.facts.images);
  const explanation = take(cut.explanation ?? []);
  const left = [
    [(cut.explanation?.length ?? 0) - explanation.length, 'explanations'],
    [cut.facts.images.length - images.length, 'images'],
    [(cut.claims?.length ?? 0) - claims.length, 'claims'],
    [cut.findings.length - findings.length, 'findings'],
    [cut.warnings.length - warnings.length, 'warnings'],
    [cut.errors.length - errors.length, 'errors'],
  ] as const;
  const said = left.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(', ');
  return {
    ...cut,
    facts: { ...cut.facts, images },
    findings: [pageNote('report_cut', said), ...findings],
    warnings,
    errors,
    ...(cut.claims && { claims }),
    ...(cut.explanation && { explanation }),
  };
}

function withTextsCut({ facts, ...report }: UnnamedReport): UnnamedReport {
  const { images, ...single } = facts;
  const cut = Object.entries(single).map(([name, fact]) => [name, fact === null ? null : shortFact(fact)]);
  return {
    ...report,
    url: beginning(report.url),
    final_url: beginning(report.final_url),
    facts: { ...(Object.fromEntries(cut) as typeof single), images },
  };
}

function shortFact<F extends { readonly value: string; readonly field: string }>(fact: F): F {
  return { ...fact, value: beginning(fact.value), field: fact.field.slice(0, MAX_FIELD).toWellFormed() };
}

/** Shortens a text to a number of bytes, in whole characters. */
function beginning(text: string): string {
  let end = text.length;
  while (sizeOf(text.slice(0, end)) > MAX_TEXT) end = Math.floor(end * 0.8);
  return text.slice(0, end).toWellFormed();
}

function sizeOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).byteLength;
}
