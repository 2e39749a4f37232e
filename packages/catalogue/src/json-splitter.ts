import { CATALOGUE_LIMITS, type LimitName } from './limits.ts';

/**
 * One element of a catalogue's list, as text; the caller parses it, so that a malformed one does not affect the others. `over`: it
 * exceeds a limit and was skipped.
 */
export type JsonElement =
  | { readonly text: string; readonly line: number; readonly end: number }
  /** `line`: where it begins, from 1; `end`: characters of the whole text up to its end. */
  | { readonly over: LimitName; readonly line: number; readonly end: number };

/** How the text ended. */
export type JsonEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'truncated'; readonly line: number; readonly inElement: boolean };

/**
 * Splits JSON into the elements of its list without keeping all of it in memory: a top-level array, the `products` array of a
 * top-level object (with any other members), or a sequence of values (NDJSON, concatenated pages). It only tracks strings and
 * brackets; whether an element is valid JSON is left to `JSON.parse`.
 */
export class JsonSplitter {
  #place: 'top' | 'list' | 'wrapper' | 'element' | 'scalar' = 'top';
  /** The state to return to at the end of the current list or element. */
  #listIn: 'top' | 'wrapper' = 'top';
  #elementIn: 'top' | 'list' = 'top';
  #inString = false;
  #escaped = false;
  /** Open brackets inside the current element or wrapper. */
  #depth = 0;
  /** The last string at depth 1 of a top-level object: its key, when a value follows. */
  #key = '';
  #kept: string[] = [];
  #keptChars = 0;
  /** Values of the present element, by the characters that separate and open them. */
  #values = 0;
  /** The limit that the present element exceeds. */
  #over: LimitName | undefined;
  #start = 0;
  /** Characters before the present chunk. */
  #before = 0;
  #line = 1;
  #elementLine = 1;
  #hasList = false;

  /** Whether a list of products has begun, rather than a sequence of values. */
  get hasList(): boolean {
    return this.#hasList;
  }

  /** Whether the present element is being skipped. */
  get isSkipping(): boolean {
    return this.#over !== undefined;
  }

  *push(chunk: string): Generator<JsonElement, void, undefined> {
    this.#start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const char = chunk.charCodeAt(i);
      if (char === 0x0a) this.#line++;
      const done = this.#inString ? this.#string(chunk, i, char) : this.#step(chunk, i, char);
      if (done) yield this.#take(chunk, i);
    }
    if (this.#place === 'element' || this.#place === 'scalar') this.#keep(chunk.slice(this.#start));
    this.#before += chunk.length;
  }

  end(): { readonly last?: JsonElement; readonly end: JsonEnd } {
    if (this.#place === 'scalar' && this.#elementIn === 'top')
      return { last: this.#element(this.#before), end: { kind: 'complete' } };
    if (this.#place === 'top') return { end: { kind: 'complete' } };
    const inElement = this.#place === 'element' || this.#place === 'scalar';
    return { end: { kind: 'truncated', line: inElement ? this.#elementLine : this.#line, inElement } };
  }

  #string(chunk: string, i: number, char: number): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (char === 0x5c) this.#escaped = true;
    else if (char === 0x22) this.#inString = false;
    else if (this.#depth === 1 && this.#key.length < 16) this.#key += chunk[i];
    return false;
  }

  /** True if the current element ends with this character. */
  #step(chunk: string, i: number, char: number): boolean {
    switch (this.#place) {
      case 'top':
      case 'list':
        return this.#between(i, char);
      case 'scalar':
        return this.#scalar(chunk, i, char);
      default:
        return this.#inside(chunk, i, char);
    }
  }

  #between(i: number, char: number): boolean {
    if (isSpace(char) || char === 0x2c) return false;
    if (this.#place === 'top' && char === 0x5b) {
      this.#place = 'list';
      this.#hasList = true;
      this.#listIn = 'top';
    } else if (this.#place === 'list' && char === 0x5d) {
      this.#place = this.#listIn;
      this.#depth = this.#listIn === 'wrapper' ? 1 : 0;
    } else {
      this.#begin(i, char);
    }
    return false;
  }

  #begin(i: number, char: number): void {
    this.#elementIn = this.#place === 'list' ? 'list' : 'top';
    this.#elementLine = this.#line;
    this.#start = i;
    this.#drop();
    this.#key = '';
    const container = char === 0x7b || char === 0x5b;
    this.#place = container ? 'element' : 'scalar';
    this.#depth = container ? 1 : 0;
    if (char === 0x22) this.#inString = true;
  }

  #scalar(chunk: string, i: number, char: number): boolean {
    if (char === 0x22) this.#inString = true;
    const ends = this.#elementIn === 'top' ? char === 0x0a : char === 0x2c || char === 0x5d;
    if (!ends) return false;
    this.#keep(chunk.slice(this.#start, i));
    this.#start = i;
    return true;
  }

  #inside(chunk: string, i: number, char: number): boolean {
    if (char === 0x22) {
      this.#inString = true;
      if (this.#depth === 1) this.#key = '';
    } else if (char === 0x7b || char === 0x5b) {
      if (char === 0x5b && this.#opensProducts()) {
        this.#place = 'list';
        this.#hasList = true;
        this.#listIn = 'wrapper';
        this.#drop();
        return false;
      }
      this.#depth++;
      if (this.#depth > CATALOGUE_LIMITS.depth.most) this.#exceed('depth');
      this.#countValue();
    } else if (char === 0x2c) {
      this.#countValue();
    } else if (char === 0x7d || char === 0x5d) {
      this.#depth--;
      if (this.#depth > 0) return false;
      if (this.#place === 'wrapper') {
        this.#place = 'top';
        return false;
      }
      this.#keep(chunk.slice(this.#start, i + 1));
      this.#start = i + 1;
      return true;
    }
    return false;
  }

  #opensProducts(): boolean {
    const topLevel = this.#place === 'wrapper' || this.#elementIn === 'top';
    return topLevel && this.#depth === 1 && this.#key === 'products';
  }

  #countValue(): void {
    this.#values++;
    if (this.#values > CATALOGUE_LIMITS.values.most) this.#exceed('values');
  }

  #keep(text: string): void {
    if (this.#over !== undefined) return;
    this.#keptChars += text.length;
    if (this.#keptChars > CATALOGUE_LIMITS.characters.most) this.#exceed('characters');
    else this.#kept.push(text);
  }

  #exceed(limit: LimitName): void {
    this.#over ??= limit;
    this.#kept = [];
  }

  #drop(): void {
    this.#kept = [];
    this.#keptChars = 0;
    this.#values = 0;
    this.#over = undefined;
  }

  #element(end: number): JsonElement {
    const line = this.#elementLine;
    return this.#over === undefined
      ? { text: this.#kept.join(''), line, end }
      : { over: this.#over, line, end };
  }

  #take(chunk: string, i: number): JsonElement {
    const element = this.#element(this.#before + this.#start);
    const closesList = this.#place === 'scalar' && this.#elementIn === 'list' && chunk.charCodeAt(i) === 0x5d;
    this.#place = this.#elementIn;
    this.#drop();
    if (closesList) {
      this.#place = this.#listIn;
      this.#depth = this.#listIn === 'wrapper' ? 1 : 0;
    }
    return element;
  }
}

function isSpace(char: number): boolean {
  return char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;
}
