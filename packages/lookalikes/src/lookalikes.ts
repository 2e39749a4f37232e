import {
  compareSpelling,
  deletionHashes,
  editsOf,
  ONE_EDIT_FROM,
  TWO_EDITS_FROM,
  TWO_EDITS_TO,
} from './edits.ts';
import { skeletonOf } from './fold.ts';
import { NumberMultimap } from './number-multimap.ts';
import { remaindersOf } from './remainders.ts';
import { RESEMBLANCES, type ResemblanceKind } from './resemblances.ts';
import { type Label, labelOf, type SplitHost, splitHost } from './split-host.ts';
import { COMMON_NAMES } from './words.ts';

/** That a host resembles a protected one. */
export interface Resemblance {
  /** The protected host, in ASCII. */
  readonly host: string;
  /** How, in the order of `RESEMBLANCES`. */
  readonly kinds: readonly ResemblanceKind[];
}

/** An index of protected hosts that finds which of them another host resembles. */
export interface Lookalikes {
  /** Protects a host. Text that is no host name is ignored. */
  add(host: string): void;
  delete(host: string): void;
  /**
   * The protected hosts that this one resembles, one of each registered domain, the most alike first. None for a host below a
   * protected domain, nor for what is no host name. The time does not depend on the number of protected hosts.
   */
  find(host: string): Resemblance[];
  /** Number of protected hosts. */
  readonly size: number;
}

/** A registered domain of which hosts are protected. */
interface Site {
  readonly domain: string;
  readonly name: Label;
  readonly suffix: string;
  readonly hosts: Set<string>;
}

/** Names that are told for one host. */
const MOST_FOUND = 10;
const MOST_LABELS = 10;
/** Sites of one skeleton that are compared. */
const MOST_ALIKE = 64;
const NONE: readonly Site[] = [];
/** Letters of a name that many have by chance. */
const SHORT = 3;
/** Letters from which a name may differ by an edit and by its suffix. */
const EDITED_ELSEWHERE_FROM = 8;

/**
 * Makes an index of protected hosts.
 *
 * @example
 * ```ts
 * import { createLookalikes } from '@touchstone/lookalikes';
 *
 * const known = createLookalikes(['cupworks.example', 'www.lanternhill.example']);
 * known.find('cupworks-outlet.example'); // [{ host: 'cupworks.example', kinds: ['added_words'] }]
 * known.find('lanternhlil.example')[0]?.kinds; // ['swapped_letters']
 * known.find('shop.cupworks.example'); // []
 * ```
 */
export function createLookalikes(hosts: Iterable<string> = []): Lookalikes {
  const bySite = new Map<string, Site>();
  const bySkeleton = new Map<string, Site[]>();
  let sites: Site[] = [];
  let deletions = new NumberMultimap();
  let size = 0;

  const indexEdits = (site: Site) => {
    const { skeleton } = site.name;
    if (editsOf(skeleton.length) === 0 || COMMON_NAMES.has(site.name.folded)) return;
    const number = sites.push(site) - 1;
    deletionHashes(skeleton, editsOf(skeleton.length), (hash) => deletions.add(hash, number));
  };

  const add = (text: string) => {
    const split = splitHost(text);
    if (split === null) return;
    const { ascii, domain, name, suffix } = split;
    const known = bySite.get(domain);
    const site = known ?? { domain, name, suffix, hosts: new Set() };
    if (site.hosts.has(ascii)) return;
    site.hosts.add(ascii);
    size += 1;
    if (known !== undefined) return;
    bySite.set(domain, site);
    bySkeleton.set(name.skeleton, [...(bySkeleton.get(name.skeleton) ?? []), site]);
    indexEdits(site);
  };

  const remove = (text: string) => {
    const split = splitHost(text);
    const site = split === null ? undefined : bySite.get(split.domain);
    if (split === null || site === undefined || !site.hosts.delete(split.ascii)) return;
    size -= 1;
    if (site.hosts.size > 0) return;
    bySite.delete(site.domain);
    const { skeleton } = site.name;
    const others = (bySkeleton.get(skeleton) ?? []).filter((other) => other !== site);
    if (others.length === 0) bySkeleton.delete(skeleton);
    else bySkeleton.set(skeleton, others);
    // what is gone stays in the index of edits until it is most of it
    if (sites.length < 64 || bySite.size * 2 > sites.length) return;
    [sites, deletions] = [[], new NumberMultimap()];
    for (const left of bySite.values()) indexEdits(left);
  };

  for (const host of hosts) add(host);
  return {
    add,
    delete: remove,
    find(text) {
      const split = splitHost(text);
      if (split === null) return [];
      const found = new Map<Site, ReadonlySet<ResemblanceKind>>();
      const tell = (site: Site, kinds: Iterable<ResemblanceKind>) => {
        if (site.domain === split.domain || found.has(site) || site.hosts.size === 0) return;
        found.set(site, new Set(kinds));
      };
      const alike = (skeleton: string) => {
        const alikes = bySkeleton.get(skeleton) ?? NONE;
        return alikes.length > MOST_ALIKE ? alikes.slice(0, MOST_ALIKE) : alikes;
      };
      findBelow(split, alike, tell);
      findNames(split, alike, tell);
      const { skeleton } = split.name;
      const most = skeleton.length < ONE_EDIT_FROM - 1 ? 0 : mostEdits(skeleton.length);
      if (most > 0) {
        const seen = new Set<number>();
        deletionHashes(skeleton, most, (hash) =>
          deletions.each(hash, (number) => {
            if (seen.has(number)) return;
            seen.add(number);
            const site = sites[number];
            const kinds = site === undefined ? null : editKinds(split, site);
            if (site !== undefined && kinds !== null) tell(site, kinds);
          }),
        );
      }
      return [...found]
        .map(([site, kinds]) => ({
          host: hostOf(site),
          kinds: RESEMBLANCES.filter((kind) => kinds.has(kind)),
        }))
        .toSorted((a, b) => rankOf(a) - rankOf(b) || (a.host < b.host ? -1 : 1))
        .slice(0, MOST_FOUND);
    },
    get size() {
      return size;
    },
  };
}

/** The shortest of its hosts, which people know best. */
function hostOf({ hosts }: Site): string {
  return [...hosts].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] ?? '';
}

const rankOf = ({ kinds }: Resemblance) => {
  const [first = 'similar_spelling'] = kinds;
  return RESEMBLANCES.indexOf(first);
};

/** Two only where a name from which they may lead here is long enough for them. */
function mostEdits(length: number): 1 | 2 {
  return length >= TWO_EDITS_FROM - 2 && length <= TWO_EDITS_TO + 2 ? 2 : 1;
}

const isCommon = ({ folded }: Label) => folded.length <= SHORT || COMMON_NAMES.has(folded);
const isForeign = ({ unicode }: Label) => !/^\p{ASCII}*$/u.test(unicode);

type Alike = (skeleton: string) => readonly Site[];
type Tell = (site: Site, kinds: Iterable<ResemblanceKind>) => void;

/** The name, as it is or without added words, is that of a protected host, or looks like it. */
function findNames({ name, suffix }: SplitHost, alike: Alike, tell: Tell): void {
  for (const site of alike(name.skeleton)) {
    const kinds = sameNameKinds(name, site.name);
    if (site.suffix !== suffix) kinds.push('another_suffix');
    const isForeignOnly = kinds.includes('confusable_characters') && isForeign(name) !== isForeign(site.name);
    if (!isCommon(site.name) || isForeignOnly) tell(site, kinds);
  }
  for (const { folded, isApart } of remaindersOf(name)) {
    for (const site of alike(skeletonOf(folded))) {
      if (isCommon(site.name) || (!isApart && site.name.folded.length < ONE_EDIT_FROM)) continue;
      const kinds: ResemblanceKind[] = ['added_words'];
      if (folded !== site.name.folded) kinds.push('confusable_characters');
      if (site.suffix !== suffix) kinds.push('another_suffix');
      tell(site, kinds);
    }
  }
}

/** How two labels with the same skeleton differ. */
function sameNameKinds(found: Label, name: Label): ResemblanceKind[] {
  if (found.unicode === name.unicode) return [];
  const bare = (text: string) => text.replaceAll('-', '');
  const isHyphens = bare(found.unicode) === bare(name.unicode);
  if (isHyphens) return ['hyphens'];
  return found.unicode.includes('-') === name.unicode.includes('-')
    ? ['confusable_characters']
    : ['confusable_characters', 'hyphens'];
}

/** A label below somebody else's domain is the name of a protected host. */
function findBelow({ below, name }: SplitHost, alike: Alike, tell: Tell): void {
  const labels = below.slice(-MOST_LABELS).map(labelOf);
  for (const [at, label] of labels.entries()) {
    const rest = [...labels.slice(at + 1), name].map(({ unicode }) => unicode).join('.');
    for (const site of alike(label.skeleton)) {
      // the whole host, as in shop.example.somebody.example
      const isWhole = `${rest}.`.startsWith(`${site.suffix}.`);
      if (!isWhole && (isCommon(site.name) || site.name.folded.length < ONE_EDIT_FROM)) continue;
      tell(site, ['as_subdomain', ...sameNameKinds(label, site.name)]);
    }
    for (const { folded } of remaindersOf(label)) {
      for (const site of alike(skeletonOf(folded))) {
        if (!isCommon(site.name) && site.name.folded.length >= ONE_EDIT_FROM)
          tell(site, ['as_subdomain', 'added_words']);
      }
    }
  }
}

function editKinds({ name, suffix }: SplitHost, site: Site): ResemblanceKind[] | null {
  const { folded } = site.name;
  if (COMMON_NAMES.has(name.folded)) return null;
  const compared = compareSpelling(name.skeleton, site.name.skeleton);
  if (compared === null || compared.edits > editsOf(site.name.skeleton.length)) return null;
  if (onlyDigitsDiffer(name.folded, folded)) return null;
  if (site.suffix === suffix) return [compared.kind];
  return compared.edits === 1 && folded.length >= EDITED_ELSEWHERE_FROM
    ? [compared.kind, 'another_suffix']
    : null;
}

/** Numbered names, such as moda24 and moda25, are chosen by different people. */
function onlyDigitsDiffer(a: string, b: string): boolean {
  return /\d/.test(a) && /\d/.test(b) && a.replace(/\d+/g, '') === b.replace(/\d+/g, '');
}
