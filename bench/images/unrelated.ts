/**
 * Asks for each photograph below a folder whether it is a copy of any other: `npm run bench:images -- unrelated <folder> [at most so many]`.
 * Prints each pair that is told to be one picture, for somebody to look at: photographs of one thing, and the same one twice, are no
 * false alarms.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bandValues, hashesOf, isFound, type Known, knownOf, probedValues } from './known.ts';

const [folder = '', most = Number.POSITIVE_INFINITY] = process.argv.slice(2);
/** Photographs between two lines about the progress. */
const STEP = 5_000;

const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(jpe?g|png|webp)$/i.test(name))
  .toSorted()
  .slice(0, Number(most));
const known = new Map<string, Known>();
/** Names by kind, band and value, as in the index. */
const byBand = new Map<string, string[]>();
let undecodable = 0;
for (const [nth, name] of names.entries()) {
  if (nth % STEP === 0) console.log(`${nth} of ${names.length} read`);
  const hashes = await hashesOf(readFileSync(join(folder, name))).catch(() => null);
  if (hashes === null) {
    undecodable += 1;
    continue;
  }
  const one = knownOf(hashes);
  known.set(name, one);
  for (const value of bandValues(one)) byBand.set(value, [...(byBand.get(value) ?? []), name]);
}
let asked = 0;
let candidates = 0;
let alike = 0;
for (const [name, one] of known) {
  const others = new Set(probedValues(one).flatMap((value) => byBand.get(value) ?? []));
  if (one.question !== null) asked += 1;
  for (const other of others) {
    const certified = known.get(other);
    if (certified === undefined || other === name) continue;
    candidates += 1;
    if (certified.hashes.uhash === one.hashes.uhash || !isFound(one, certified)) continue;
    alike += 1;
    console.log(`same picture: ${name}  ${other}`);
  }
}
console.log(
  `${names.length} photographs, ${undecodable} not decoded, ${asked} with enough content to be asked about, each against all others: ` +
    `${candidates} with a band in common, ${alike} told to be the same picture`,
);
