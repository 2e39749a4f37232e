import { faultsOf, type Outcome, statedIn } from './check-variants.ts';
import { VARIANTS } from './variants.ts';

/** The results of all checks: a row for each variant, every fault, what certificates change, and durations. */
export function variantsTable(outcomes: readonly Outcome[]): string {
  const rows = VARIANTS.map((variant) => {
    const own = outcomes.filter((outcome) => outcome.variant === variant);
    const right = own.filter((outcome) => faultsOf(outcome).length === 0).length;
    const exits = own.flatMap((outcome) => Object.values(outcome.exits));
    return [
      variant.name,
      variant.verdict,
      `${right} of ${own.length}`,
      counted(own.map(({ report }) => report.verdict)),
      counted(own.map(({ report }) => leadOf(report))),
      counted(exits),
    ];
  });
  const head = ['variant', 'must be', 'right', 'verdicts', 'leading reason', 'exit codes'];
  const faulty = outcomes.filter((outcome) => faultsOf(outcome).length > 0);
  return [
    ...aligned([head, ...rows]),
    '',
    ...faulty.flatMap(faultLines),
    factsLine(outcomes),
    timesLine(outcomes),
  ].join('\n');
}

function leadOf({ errors, warnings }: Outcome['report']): string {
  return [...errors, ...warnings][0]?.split(':', 1)[0] ?? 'none';
}

function counted(values: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${value} ×${count}`).join(', ');
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(width(column)))
      .join('  ')
      .trimEnd(),
  );
}

function faultLines(outcome: Outcome): string[] {
  const { errors, warnings, findings } = outcome.report;
  const notes = [...errors, ...warnings, ...findings].map((note) => `    ${note}`);
  return [`${outcome.variant.name}: ${outcome.url}: ${faultsOf(outcome).join('; ')}`, ...notes, ''];
}

/** Pages whose other statements change with a certificate; by address. */
export function changedByCertificate(outcomes: readonly Outcome[]): string[] {
  const certified = outcomes.filter(({ variant }) => variant.verdict === 'verified');
  const bare = new Map(
    outcomes
      .filter(({ variant }) => variant.carries === undefined)
      .map(({ page, report }) => [page.id, report]),
  );
  const stated = (report: Outcome['report'] | undefined) => report && JSON.stringify(statedIn(report));
  return certified
    .filter(({ page, report }) => stated(report) !== stated(bare.get(page.id)))
    .map(({ url }) => url);
}

function factsLine(outcomes: readonly Outcome[]): string {
  const changed = changedByCertificate(outcomes);
  const pages = outcomes.length / VARIANTS.length;
  const named = changed.map((url) => `\n    ${url}`).join('');
  return `facts, platform and findings with and without the certificate: the same on ${pages - changed.length} of ${pages}${named}`;
}

function timesLine(outcomes: readonly Outcome[]): string {
  const times = outcomes.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const told = (milliseconds = 0) => `${milliseconds.toFixed(0)} ms`;
  const at = (share: number) => told(times[Math.ceil(share * times.length) - 1]);
  const first = told(outcomes[0]?.milliseconds);
  const sizes = outcomes.map(({ page }) => page.html.length).toSorted((a, b) => a - b);
  const size = ((sizes[sizes.length >> 1] ?? 0) / 1000).toFixed(0);
  return `one page check, nothing remembered: median ${at(0.5)}, 95 % under ${at(0.95)}, longest ${at(1)}, the first after the start ${first} (pages of ${size} KB in the median)`;
}
