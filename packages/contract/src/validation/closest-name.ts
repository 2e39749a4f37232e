/** Longer names are not treated as typing errors. */
const MAX_LENGTH = 40;

/**
 * The known name that was most likely meant, or null if none is close: at most a third of its letters (at least one)
 * added, omitted or replaced, ignoring case and separators.
 */
export function closestName(given: string, known: readonly string[]): string | null {
  if (given.length > MAX_LENGTH) return null;
  const meant = plain(given);
  const near = known
    .map((name) => ({ name, distance: distanceOf(meant, plain(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(plain(name).length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.name ?? null;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Levenshtein distance. */
function distanceOf(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
