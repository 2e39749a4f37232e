import { Parser } from 'htmlparser2';
import type { FeedItem } from './google-feed.ts';

/** Of one item; what is beyond is no catalogue's. */
const MAX_TEXT = 100_000;
const MAX_VALUES = 1_000;

/** What of an XML text was met so far. */
export interface XmlState {
  /** Name of the outermost element, lower case. */
  root: string | undefined;
  /** Whether that element was closed. */
  closed: boolean;
}

/**
 * Splits an XML feed (RSS 2.0 `item`, Atom `entry`) into its items as it arrives. Attributes of the feed (`g:…`) count
 * before the elements of RSS or Atom of the same name; what lies deeper than they do belongs to others, such as
 * `g:shipping`. Entities that a document defines itself are never resolved.
 */
export class XmlItems {
  readonly state: XmlState = { root: undefined, closed: false };
  readonly #parser: Parser;
  #ready: FeedItem[] = [];
  #depth = 0;
  #itemDepth = 0;
  #own = new Map<string, string[]>();
  #feed = new Map<string, string[]>();
  #text: string | undefined;

  constructor() {
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        ontext: (text) => {
          if (this.#text !== undefined && this.#text.length < MAX_TEXT) this.#text += text;
        },
        onclosetag: (name, implied) => this.#close(name, implied),
      },
      { xmlMode: true, decodeEntities: true },
    );
  }

  push(piece: string): readonly FeedItem[] {
    this.#ready = [];
    this.#parser.write(piece);
    return this.#ready;
  }

  end(): void {
    this.#parser.end();
  }

  #open(qualified: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth++;
    const name = qualified.toLowerCase();
    this.state.root ??= name;
    if (this.#itemDepth === 0) {
      if (name !== 'item' && name !== 'entry') return;
      this.#itemDepth = this.#depth;
      this.#own = new Map();
      this.#feed = new Map();
    } else if (this.#depth === this.#itemDepth + 1) {
      this.#text = '';
      // Atom says where a page is in an attribute
      if (name === 'link' && attributes.href !== undefined && (attributes.rel ?? 'alternate') === 'alternate')
        this.#text = attributes.href;
    }
  }

  #close(qualified: string, implied: boolean): void {
    const name = qualified.toLowerCase();
    if (this.#itemDepth > 0 && this.#depth === this.#itemDepth + 1 && this.#text !== undefined) {
      const [prefix, local] = name.includes(':') ? name.split(':', 2) : ['', name];
      const values = prefix === '' ? this.#own : this.#feed;
      const key = local ?? '';
      const known = values.get(key) ?? [];
      if (this.#text.trim() !== '' && known.length < MAX_VALUES)
        values.set(key, [...known, this.#text.trim()]);
      this.#text = undefined;
    } else if (this.#depth === this.#itemDepth && !implied) {
      this.#itemDepth = 0;
      this.#ready.push(new Map([...this.#own, ...this.#feed]));
    }
    this.#depth--;
    if (this.#depth === 0 && !implied) this.state.closed = true;
  }
}
