import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createLookalikes, registeredDomain } from '@touchstone/lookalikes';
import { describe, expect, it } from 'vitest';
import { corporaFolder } from '../../bench/pages/facts/corpus.ts';

const CORPORA = corporaFolder(process.env);
const PROTECTED = 1_000;
const LINK =
  /(?:https?:)?\\?\/\\?\/((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24})(?=[/\\"'?:#&\s<)])/gi;

/** The hosts to which stored pages link. */
function hostsIn(folder: string, found = new Set<string>()): Set<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) hostsIn(path, found);
    else {
      const bytes = readFileSync(path);
      const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
      for (const [, host = ''] of text.matchAll(LINK)) found.add(host.toLowerCase());
    }
  }
  return found;
}

/** The same order for the same names. */
function numberOf(text: string): number {
  let number = 0;
  for (const char of text) number = (Math.imul(number, 31) + char.charCodeAt(0)) | 0;
  return number;
}

describe.skipIf(CORPORA === undefined)('names in the links of real pages', () => {
  it('rarely resemble 1,000 of them taken as proven, except for the same name with another suffix; all are listed', () => {
    const hosts = [...hostsIn(CORPORA ?? '')];
    const domains = [...new Set(hosts.flatMap((host) => registeredDomain(host) ?? []))];
    const proven = new Set(domains.toSorted((a, b) => numberOf(a) - numberOf(b)).slice(0, PROTECTED));
    const known = createLookalikes(proven);
    const others = hosts.filter((host) => !proven.has(registeredDomain(host) ?? ''));
    const hits = new Map<string, string>();
    for (const host of others) {
      for (const { host: name, kinds } of known.find(host)) {
        hits.set(`${registeredDomain(host)} resembles ${name}: ${kinds.join(', ')}`, kinds.join());
      }
    }
    console.log(
      `${hosts.length} names, ${others.length} asked, ${hits.size} hits\n${[...hits.keys()].join('\n')}`,
    );
    // whoever owns a name looks at the same name elsewhere; other resemblances are those that can be mistaken
    const doubtful = [...hits.values()].filter((kinds) => kinds !== 'another_suffix');
    expect(others.length).toBeGreaterThan(500);
    expect(doubtful.length / others.length).toBeLessThan(0.02);
  });
});
