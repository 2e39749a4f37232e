import type { PageReport } from '@touchstone/page';
import { cannotTell } from '../cli-error.ts';
import { isRecord } from '../client/problem.ts';

/**
 * Reads the service's answer to a page check.
 *
 * @throws CliError when it is no report: a verdict that is not understood must never pass for a good one
 */
export async function readReport(answer: unknown, serviceUrl: string): Promise<PageReport> {
  // Zod is loaded only where an answer is to be read
  const { PageCheckReportSchema } = await import('@touchstone/certificate/schema');
  const report = PageCheckReportSchema.safeParse(answer);
  // what came as JSON holds no undefined
  if (report.success) return report.data as PageReport;
  throw cannotTell(
    `The answer of ${serviceUrl} is no page check report.`,
    'Are service and command of one version?',
  );
}

/** Facts as `name: value`, images counted. */
export function factsOf(facts: unknown): (readonly [string, string])[] {
  if (!isRecord(facts)) return [];
  const stated: (readonly [string, string])[] = [];
  for (const [name, fact] of Object.entries(facts)) {
    if (Array.isArray(fact) && fact.length > 0) stated.push([name, String(fact.length)]);
    else if (isRecord(fact) && typeof fact.value === 'string') stated.push([name, shorten(fact.value)]);
  }
  return stated;
}

function shorten(value: string): string {
  return value.length <= 100 ? value : `${value.slice(0, 100).toWellFormed()}…`;
}
