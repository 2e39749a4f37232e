import type { Path } from './detect.ts';
import { spliced, type TextRange } from './text-range.ts';

/** A member of an object or an element of a list. `from`: where its name begins, or itself. */
interface Member extends TextRange {
  readonly name: string | number;
  readonly valueFrom: number;
}

/**
 * JSON that is edited as text, so that all else stays as it is written. The text must be valid JSON. Of members of one name the last one
 * counts, as for `JSON.parse`.
 */
export class JsonText {
  readonly #text: string;
  /** By where their object or list begins. */
  readonly #members = new Map<number, readonly Member[]>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the value of a path stands. @throws if there is none */
  rangeOf(path: Path): TextRange {
    let range: TextRange = { from: afterSpace(this.#text, 0), to: this.#text.trimEnd().length };
    for (const name of path) {
      const member = this.#memberOf(range.from, name);
      if (member === undefined) throw new Error('no such member');
      range = { from: member.valueFrom, to: member.to };
    }
    return range;
  }

  /** The text with this member of an object, in its place, or else as the last one. @param value - JSON */
  withMember(object: Path, name: string, value: string): string {
    const { from, to } = this.rangeOf(object);
    const known = this.#memberOf(from, name);
    if (known !== undefined) return spliced(this.#text, { from: known.valueFrom, to: known.to }, value);
    const last = this.#membersIn(from).at(-1);
    const added = `${JSON.stringify(name)}:${value}`;
    if (last === undefined) return spliced(this.#text, { from: from + 1, to: to - 1 }, added);
    return spliced(this.#text, { from: last.to, to: last.to }, `,${added}`);
  }

  /** The text without a member of an object or an element of a list. */
  without(path: Path): string {
    const name = path.at(-1);
    const { from } = this.rangeOf(path.slice(0, -1));
    const members = this.#membersIn(from);
    const at = members.findLastIndex((member) => member.name === name);
    const member = members[at];
    if (member === undefined) throw new Error('no such member');
    const [before, next] = [members[at - 1], members[at + 1]];
    if (before !== undefined) return spliced(this.#text, { from: before.to, to: member.to }, '');
    return spliced(this.#text, { from: member.from, to: next?.from ?? member.to }, '');
  }

  #memberOf(from: number, name: string | number): Member | undefined {
    return this.#membersIn(from).findLast((member) => member.name === name);
  }

  #membersIn(from: number): readonly Member[] {
    const known = this.#members.get(from);
    if (known !== undefined) return known;
    const members = membersIn(this.#text, from);
    this.#members.set(from, members);
    return members;
  }
}

function membersIn(text: string, from: number): Member[] {
  const isObject = text[from] === '{';
  const close = isObject ? '}' : ']';
  const members: Member[] = [];
  let at = afterSpace(text, from + 1);
  while (at < text.length && text[at] !== close) {
    const begun = at;
    let name: string | number = members.length;
    if (isObject) {
      const end = afterString(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = afterSpace(text, afterSpace(text, end) + 1);
    }
    const to = afterValue(text, at);
    members.push({ name, from: begun, valueFrom: at, to });
    at = afterSpace(text, to);
    if (text[at] === ',') at = afterSpace(text, at + 1);
  }
  return members;
}

function afterValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return afterString(text, from);
  if (first !== '{' && first !== '[') {
    let at = from;
    while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at++;
    return at;
  }
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') {
      at = afterString(text, at);
      continue;
    }
    if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
    at++;
  }
  return at;
}

function afterString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (/[ \n\r\t]/.test(text.charAt(at))) at++;
  return at;
}
