/** Characters of one line: a certificate may have thousands of names; what is longer is left out. */
const MAX_LINE = 4_000_000;

/** The lines of an input of any length, without their ends. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = (lines.pop() ?? '').slice(0, MAX_LINE);
    yield* lines;
  }
  const last = rest + decoder.decode();
  if (last !== '') yield last;
}

/**
 * The names in a line of a list: the line itself, or the names of a certificate in the JSON of a certificate-transparency feed
 * (`dns_names`, `all_domains` or `data.leaf_cert.all_domains`). Empty lines, lines that begin with # and JSON without names have none.
 */
export function namesIn(line: string): readonly string[] {
  const text = line.replace(/^\uFEFF/, '').trim();
  if (text === '' || text.startsWith('#')) return [];
  if (!text.startsWith('{')) return [plain(text)];
  const found = parsed(text);
  const inside = membersOf(membersOf(found.data).leaf_cert);
  const names = [found.dns_names, found.all_domains, inside.all_domains].find(Array.isArray) ?? [];
  return [...new Set(names.filter((name) => typeof name === 'string').map(plain))];
}

/** Wildcards of certificates are about the name below which they apply. */
const plain = (name: string) => name.trim().toLowerCase().replace(/^\*\./, '').replace(/\.$/, '');

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
