/**
 * Makes the verification vectors of test/vectors, each time with fresh keys: `npm run vectors`, or only some files, by name:
 * `npm run vectors -- profiles`, `npm run vectors -- log/ended`.
 *
 * The expected results are written by hand here, from the specification and the decision records; they are not computed by a verifier of
 * ours. Private keys exist in memory only. Format: docs/vectors.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claims } from './claims.ts';
import { encoding } from './encoding.ts';
import { endedLogs } from './ended-logs.ts';
import { headers } from './headers.ts';
import { hosts } from './hosts.ts';
import { issuers } from './issuers.ts';
import { keyAge } from './key-age.ts';
import { keySets } from './key-sets.ts';
import { makeKeys } from './keys.ts';
import { logVectors } from './log.ts';
import { members } from './members.ts';
import { oddDocuments } from './odd-documents.ts';
import { pages } from './pages.ts';
import { profiles } from './profiles.ts';
import { receiptVectors } from './receipts.ts';
import { type MakeTheme, type Theme, vectorFile } from './theme.ts';
import { urls } from './urls.ts';
import { verdicts } from './verdicts.ts';
import { withdrawal } from './withdrawal.ts';

const keys = makeKeys();
const makers: MakeTheme[] = [
  verdicts,
  oddDocuments,
  claims,
  headers,
  encoding,
  keySets,
  hosts,
  urls,
  pages,
  profiles,
  members,
  issuers,
  keyAge,
  withdrawal,
];
const themes = await Promise.all(makers.map((make) => make(keys)));
const wanted = process.argv.slice(2);

assertSound(themes);
for (const theme of themes.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const path = join(import.meta.dirname, '../vectors', `${theme.name}.json`);
  const text = printed(vectorFile(theme));
  writeFileSync(path, text);
  console.log(`${theme.name}: ${theme.vectors.length} vectors, ${Math.round(text.length / 1024)} KB`);
}

/** The sets of their own, each for other readers. */
const sets = {
  log: { format: 'touchstone-log-vectors/1', files: [...logVectors(keys), endedLogs(keys)] },
  receipts: { format: 'touchstone-receipt-vectors/1', files: [receiptVectors()] },
};
for (const [set, { format, files }] of Object.entries(sets))
  for (const { name, ...file } of files) {
    if (wanted.length > 0 && !wanted.includes(set) && !wanted.includes(`${set}/${name}`)) continue;
    const folder = join(import.meta.dirname, '../vectors', set);
    mkdirSync(folder, { recursive: true });
    const text = printed(Object.assign({ format }, file));
    writeFileSync(join(folder, `${name}.json`), text);
    console.log(`${set}/${name}: ${file.vectors.length} vectors, ${Math.round(text.length / 1024)} KB`);
  }

/** One vector per line: compact, and a diff shows which vectors changed. */
function printed({ vectors, ...head }: { readonly vectors: readonly object[] }): string {
  const opening = JSON.stringify(head, null, 1).slice(0, -2);
  return `${opening},\n "vectors": [\n  ${vectors.map((vector) => JSON.stringify(vector)).join(',\n  ')}\n ]\n}\n`;
}

/** Checks that ids are unique, and that the output contains no private key. */
function assertSound(made: readonly Theme[]): void {
  const ids = made.flatMap(({ vectors }) => vectors.map(({ id }) => id));
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0) throw new Error(`ids used twice: ${twice.join(', ')}`);
  const text = JSON.stringify(made);
  if (/PRIVATE KEY|"(p|q|dp|dq|qi)":/.test(text)) throw new Error('a private key would be written');
}
