type Dependencies = Readonly<Record<string, string>>;

/** Our packages that must be installed together with one, since no registry has them: its imports, transitively. */
export function neededWith(name: string, dependenciesOf: (name: string) => Dependencies): string[] {
  const needed = new Set<string>();
  const rest = [name];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    for (const other of Object.keys(dependenciesOf(next))) {
      if (!other.startsWith('@touchstone/') || needed.has(other)) continue;
      needed.add(other);
      rest.push(other);
    }
  }
  return [...needed].toSorted();
}
