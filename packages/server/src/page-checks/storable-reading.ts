import { type PageReading, pageNote } from '@touchstone/page';

/** Characters of JSON; a certificate with 250 images takes about 150,000. */
const MAX_CERTIFICATE = 400_000;
const MAX_CERTIFICATES = 1_500_000;
/** Objects and lists within each other; a certificate has 5. */
const MAX_DEPTH = 40;

/**
 * The reading without certificate nodes too large to be ours, so that no page fills the database; where all together are too
 * large, the largest go, so that a few of them take nobody's room. Nodes may lie inside each other, so that measuring them
 * costs many times what the page does: it belongs beside the reading.
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

/** Characters of JSON; endless for what is nested deeper than any part of the service should have to follow. */
function sizeOf(node: Readonly<Record<string, unknown>>): number {
  return isDeeperThan(MAX_DEPTH, node) ? Number.POSITIVE_INFINITY : JSON.stringify(node).length;
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeperThan(depth - 1, member));
}
