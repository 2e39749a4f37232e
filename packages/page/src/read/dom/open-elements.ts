import type { El } from './document.ts';
import { SPECIAL_ELEMENTS, TABLE_PARTS, TABLE_SCOPE } from './tables.ts';

/** The stack of open elements (HTML Living Standard 13.2.4.2), the root at its bottom. */
export class OpenElements {
  readonly #stack: El[] = [];
  /** Number of open elements of each name, so that stray end tags need no search. */
  readonly #byName = new Map<string, number>();

  get depth(): number {
    return this.#stack.length;
  }

  top(): El | undefined {
    return this.#stack.at(-1);
  }

  push(el: El): void {
    this.#stack.push(el);
    this.#byName.set(el.name, (this.#byName.get(el.name) ?? 0) + 1);
  }

  pop(): El | undefined {
    const el = this.#stack.pop();
    if (el !== undefined) this.#byName.set(el.name, (this.#byName.get(el.name) ?? 1) - 1);
    return el;
  }

  /** Position of the element that an end tag closes, or -1. End tags of inline elements close nothing outside a special element. */
  matching(name: string): number {
    if (!this.#byName.get(name)) return -1;
    const inline = !SPECIAL_ELEMENTS.has(name);
    const tablePart = TABLE_PARTS.has(name);
    for (let i = this.#stack.length - 1; i > 0; i--) {
      const open = (this.#stack[i] as El).name;
      if (open === name) return i;
      if (inline && SPECIAL_ELEMENTS.has(open)) return -1;
      if (!tablePart && TABLE_SCOPE.has(open)) return -1;
    }
    return -1;
  }
}
