import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PageCase, readJson, type Truth } from './corpus.ts';
import { ATTRIBUTES, type Attribute } from './score.ts';

/**
 * Sets of pages labelled by hand, outside of the repository: `TOUCHSTONE_LABELLED_PAGES` names a folder with one folder per
 * set, which holds `set.json` (a list of `LabelledPage`) and the pages as `html/<id>.html`.
 */
interface LabelledPage {
  readonly id: string;
  readonly url: string;
  /** The part of the set, such as `D1`: rules are chosen on one part and checked on the other. */
  readonly half: string;
  /**
   * The correct values of each attribute, separated by `;`. Empty: the page has none. After `?`, an absent value is no error, and
   * without any value the attribute is not judged.
   */
  readonly truth: Readonly<Partial<Record<Attribute, string>>>;
}

/** The pages of every part, by its name. */
export function readLabelled(
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, PageCase[]> {
  const folder = env.TOUCHSTONE_LABELLED_PAGES;
  const parts = new Map<string, PageCase[]>();
  if (folder === undefined || !existsSync(folder)) return parts;
  for (const set of readdirSync(folder).toSorted()) {
    const list = join(folder, set, 'set.json');
    if (!existsSync(list)) continue;
    for (const { id, url, half, truth } of readJson<LabelledPage[]>(list)) {
      const html = (): Uint8Array => readFileSync(join(folder, set, 'html', `${id}.html`));
      const page: PageCase = { id, url, family: half, truth: truthOf(url, truth), html };
      parts.set(half, [...(parts.get(half) ?? []), page]);
    }
  }
  return parts;
}

function truthOf(url: string, labels: LabelledPage['truth']): Truth {
  const values: Partial<Record<Attribute, string[]>> = {};
  const optional: Attribute[] = [];
  for (const attribute of ATTRIBUTES) {
    const label = labels[attribute] ?? '';
    const accepted = label
      .replace(/^\?/, '')
      .split(';')
      .filter((value) => value !== '');
    if (accepted.length > 0) values[attribute] = accepted;
    if (label.startsWith('?')) optional.push(attribute);
  }
  return { url, ...values, optional };
}
