import { type PageReading, pageNote } from '@touchstone/page';

/** Characters of JSON; a certificate with 250 images takes about 150,000. */
const MAX_CERTIFICATE = 400_000;
const MAX_CERTIFICATES = 1_500_000;
/** Nesting of objects and arrays; a certificate has 5 levels. */
const MAX_DEPTH = 40;

/**
 * The reading without certificate nodes that are too large to be ours, so that no page fills the database. If the nodes exceed
 * their total size, the largest are left out first. Nodes may contain each other, so measuring them can cost many times the size
 * of the page: it is done in the reader's thread.
 */
export function storable(reading: PageReading): PageReading {
  let room = MAX_CERTIFICATES;
  const sizes = reading.certificates.map((node, at) => ({ at, size: sizeOf(node) }));
  const kept = new Set<number>();
  for (const { at, size } of sizes.toSorted((a, b) => a.size - b.size)) {
    room -= size;
    if (size <= MAX_CERTIFICATE && room >= 0) kept.add(at);
  }
  const certificates = reading.certificates.filter((_, at) => kept.has(at));
  if (certificates.length === reading.certificates.length) return reading;
  return { ...reading, certificates, findings: [pageNote('certificate_too_large'), ...reading.findings] };
}

/** Characters of JSON; infinite for a node that is nested too deeply to be processed. */
function sizeOf(node: Readonly<Record<string, unknown>>): number {
  return isDeeperThan(MAX_DEPTH, node) ? Number.POSITIVE_INFINITY : JSON.stringify(node).length;
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeperThan(depth - 1, member));
}
