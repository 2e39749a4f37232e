import { Parser } from 'htmlparser2';
import type { FeedItem } from './google-feed.ts';

/** Of one item; what is beyond is no catalogue's. */
const MAX_TEXT = 100_000;
const MAX_VALUES = 1_000;
/** Of one document. */
const MAX_PREFIXES = 100;

/** The vocabulary of an element: attributes of the feed (`g:…`), the file format itself (RSS, Atom), or any other. */
type Vocabulary = 'google' | 'form' | 'other';

/**
 * The namespaces of Google's feeds: its own, Atom 1.0 and 0.3, RSS 1.0 (RSS 2.0 has none), as Google documents them.
 */
const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  'http://base.google.com/ns/1.0': 'google',
  'http://www.w3.org/2005/Atom': 'form',
  'http://purl.org/atom/ns#': 'form',
  'http://purl.org/rss/1.0/': 'form',
};

/** The state of parsing an XML text. */
export interface XmlState {
  /** Name of the outermost element without its prefix, lower case. */
  root: string | undefined;
  /** Whether that element was closed. */
  closed: boolean;
}

/**
 * Splits an XML feed (RSS 2.0 `item`, Atom `entry`) into its items while it is read. Attributes of the feed (`g:…`) take
 * precedence over elements of RSS or Atom with the same name; elements nested in others, such as those in `g:shipping`, are
 * ignored, and so are other vocabularies (`dc:title`, `media:title`). Entities that a document defines itself are never resolved.
 */
export class XmlItems {
  readonly state: XmlState = { root: undefined, closed: false };
  readonly #parser: Parser;
  /** By prefix, as declared; an undeclared `g:` counts as Google's. */
  readonly #vocabularies = new Map<string, Vocabulary>([['g', 'google']]);
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
    this.#declare(attributes);
    const { name, vocabulary } = this.#nameOf(qualified);
    this.state.root ??= name;
    if (this.#itemDepth === 0) {
      if (vocabulary !== 'form' || (name !== 'item' && name !== 'entry')) return;
      this.#itemDepth = this.#depth;
      this.#own = new Map();
      this.#feed = new Map();
    } else if (this.#depth === this.#itemDepth + 1) {
      this.#text = '';
      // in Atom the address is an attribute (RFC 4287, section 4.2.7)
      const { href, rel = 'alternate', type = 'text/html' } = attributes;
      if (name === 'link' && href !== undefined && rel === 'alternate' && type.includes('html'))
        this.#text = href;
    }
  }

  #declare(attributes: Readonly<Record<string, string>>): void {
    for (const [name, uri] of Object.entries(attributes)) {
      const prefix = /^xmlns:(.+)$/.exec(name)?.[1]?.toLowerCase();
      if (prefix !== undefined && this.#vocabularies.size < MAX_PREFIXES)
        this.#vocabularies.set(prefix, VOCABULARIES[uri.trim()] ?? 'other');
    }
  }

  #nameOf(qualified: string): { readonly name: string; readonly vocabulary: Vocabulary } {
    const [first = '', ...rest] = qualified.toLowerCase().split(':');
    if (rest.length === 0) return { name: first, vocabulary: 'form' };
    return { name: rest.join(':'), vocabulary: this.#vocabularies.get(first) ?? 'other' };
  }

  #close(qualified: string, implied: boolean): void {
    if (this.#itemDepth > 0 && this.#depth === this.#itemDepth + 1 && this.#text !== undefined) {
      const { name, vocabulary } = this.#nameOf(qualified);
      const values = vocabulary === 'form' ? this.#own : this.#feed;
      const known = values.get(name) ?? [];
      if (vocabulary !== 'other' && this.#text.trim() !== '' && known.length < MAX_VALUES)
        values.set(name, [...known, this.#text.trim()]);
      this.#text = undefined;
    } else if (this.#depth === this.#itemDepth && !implied) {
      this.#itemDepth = 0;
      this.#ready.push(new Map([...this.#own, ...this.#feed]));
    }
    this.#depth--;
    if (this.#depth === 0 && !implied) this.state.closed = true;
  }
}
