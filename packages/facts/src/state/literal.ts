/**
 * Parses a JavaScript object or array literal as data: JSON plus unquoted keys, single-quoted strings, trailing commas
 * and comments. Expressions become null; nothing is ever evaluated.
 */
export function parseLiteral(text: string, start: number, maxLength: number): ParsedLiteral {
  const limit = Math.min(text.length, start + maxLength);
  const reader = new LiteralReader(text, start, limit);
  try {
    const value = reader.value(0);
    return { value, length: reader.at - start };
  } catch (error) {
    if (error instanceof LiteralEnd) return { value: undefined, length: reader.at - start };
    throw error;
  }
}

export interface ParsedLiteral {
  /** `undefined` if the text is not a literal. */
  readonly value: unknown;
  /** Number of characters read. */
  readonly length: number;
}

const MAX_DEPTH = 40;
const MAX_VALUES = 50_000;
const NAME = /[\p{L}\p{N}_$]/u;

const SLASH = 0x2f;

function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0xfeff;
}

/** Thrown if the text is not a literal, is truncated, or exceeds a limit. */
class LiteralEnd extends Error {}

class LiteralReader {
  readonly #text: string;
  readonly #limit: number;
  #at: number;
  #values = 0;

  constructor(text: string, start: number, limit: number) {
    this.#text = text;
    this.#at = start;
    this.#limit = limit;
  }

  get at(): number {
    return this.#at;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH || ++this.#values > MAX_VALUES) throw new LiteralEnd();
    this.#space();
    const c = this.#peek();
    if (c === '{') return this.#object(depth);
    if (c === '[') return this.#array(depth);
    if (c === '"' || c === "'" || c === '`') return this.#operand(this.#string(c));
    return this.#bare();
  }

  #object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = Object.create(null);
    this.#at++;
    for (;;) {
      this.#space();
      const c = this.#peek();
      if (c === '}') {
        this.#at++;
        return object;
      }
      if (c === ',') {
        this.#at++;
        continue;
      }
      const key = c === '"' || c === "'" ? this.#string(c) : this.#name();
      this.#space();
      if (this.#peek() !== ':') throw new LiteralEnd();
      this.#at++;
      object[key] = this.value(depth + 1);
    }
  }

  #array(depth: number): unknown[] {
    const array: unknown[] = [];
    this.#at++;
    for (;;) {
      this.#space();
      const c = this.#peek();
      if (c === ']') {
        this.#at++;
        return array;
      }
      if (c === ',') this.#at++;
      else array.push(this.value(depth + 1));
    }
  }

  #string(quote: string): string {
    let out = '';
    let from = ++this.#at;
    for (; this.#at < this.#limit; this.#at++) {
      const c = this.#text[this.#at];
      if (c === quote) {
        out += this.#text.slice(from, this.#at++);
        return out;
      }
      if (c !== '\\') continue;
      out += this.#text.slice(from, this.#at) + this.#escape();
      from = this.#at + 1;
    }
    throw new LiteralEnd();
  }

  #escape(): string {
    const c = this.#text[++this.#at] ?? '';
    if (c === 'u' || c === 'x') {
      const length = c === 'u' ? 4 : 2;
      const hex = this.#text.slice(this.#at + 1, this.#at + 1 + length);
      if (!/^[0-9a-f]+$/i.test(hex) || hex.length !== length) return c;
      this.#at += length;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    return { n: '\n', t: '\t', r: '\r', b: '', f: '', 0: '' }[c] ?? c;
  }

  /** Reads a number or keyword; skips any other expression. */
  #bare(): unknown {
    const from = this.#at;
    this.#skipExpression();
    const text = this.#text.slice(from, this.#at).trim();
    if (text === '') throw new LiteralEnd();
    if (/^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
    const wrapped =
      /^(?:parseFloat|parseInt|Number|String|decodeURIComponent)\(\s*(["'])(.*)\1\s*(?:,\s*10\s*)?\)$/.exec(
        text,
      );
    if (wrapped?.[2] !== undefined) return wrapped[2];
    return text === 'true' ? true : text === 'false' ? false : null;
  }

  /** Returns null for a string followed by an operator: it is part of an expression whose value is unknown. */
  #operand(value: string): string | null {
    this.#space();
    const c = this.#peek();
    if (c === ',' || c === '}' || c === ']' || c === ':' || c === ')' || c === ';' || c === '') return value;
    this.#skipExpression();
    return null;
  }

  #skipExpression(): void {
    let depth = 0;
    for (; this.#at < this.#limit; this.#at++) {
      const c = this.#text[this.#at] as string;
      if (c === '"' || c === "'" || c === '`') {
        this.#string(c);
        this.#at--;
      } else if (c === '(' || c === '[' || c === '{') depth++;
      else if (c === ')' || c === ']' || c === '}') {
        if (depth === 0) return;
        depth--;
      } else if (depth === 0 && (c === ',' || c === ';')) return;
    }
  }

  #name(): string {
    const from = this.#at;
    while (this.#at < this.#limit && NAME.test(this.#peek())) this.#at++;
    if (this.#at === from) throw new LiteralEnd();
    return this.#text.slice(from, this.#at);
  }

  #space(): void {
    for (;;) {
      while (this.#at < this.#limit && isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
      if (this.#text.charCodeAt(this.#at) !== SLASH) return;
      if (this.#text.startsWith('/*', this.#at)) this.#at = this.#after('*/');
      else if (this.#text.startsWith('//', this.#at)) this.#at = this.#after('\n');
      else return;
    }
  }

  #after(end: string): number {
    const at = this.#text.indexOf(end, this.#at + 2);
    return at < 0 ? this.#limit : at + end.length;
  }

  #peek(): string {
    return this.#at < this.#limit ? (this.#text[this.#at] as string) : '';
  }
}
