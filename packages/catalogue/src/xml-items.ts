import type { FeedItem } from './google-feed.ts';
import { LimitExceeded } from './limits.ts';
import type { TextRange } from './text-range.ts';
import { XmlReader } from './xml-reader.ts';

/** Characters of one value; what is beyond is no catalogue's. */
const MAX_TEXT = 100_000;
/** Characters of a certificate, which has all pictures of its product. */
const MAX_CERTIFICATE = 500_000;
/** Of one item, likewise. */
const MAX_VALUES = 1_000;
const MAX_ITEM_TEXT = 1_000_000;
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

/** Where an item stands in the whole text. */
export interface XmlPlace {
  /** The tag that closes it. */
  readonly close: TextRange;
  /** The elements in it that are read as certificates, with their texts. */
  readonly certificates: readonly (TextRange & { readonly text: string })[];
}

/** The state of parsing an XML text. */
export interface XmlState {
  /** Name of the outermost element without its prefix, lower case. */
  root: string | undefined;
  /** Whether that element was closed. */
  closed: boolean;
  /** Why nothing more is read. */
  over?: LimitExceeded;
}

/**
 * Splits an XML feed (RSS 2.0 `item`, Atom `entry`) into its items while it is read. Attributes of the feed (`g:…`) take
 * precedence over elements of RSS or Atom with the same name; elements nested in others, such as those in `g:shipping`, are
 * ignored, and so are other vocabularies (`dc:title`, `media:title`) but for an element `certificate`.
 */
export class XmlItems {
  readonly state: XmlState = { root: undefined, closed: false };
  readonly #reader: XmlReader;
  /** By prefix, as declared; an undeclared `g:` counts as Google's. */
  readonly #vocabularies = new Map<string, Vocabulary>([['g', 'google']]);
  #ready: FeedItem[] = [];
  #places: XmlPlace[] = [];
  #depth = 0;
  #itemDepth = 0;
  #own = new Map<string, string[]>();
  #feed = new Map<string, string[]>();
  #text: string | undefined;
  #mostText = MAX_TEXT;
  #values = 0;
  #itemText = 0;
  #itemFrom = 0;
  /** Where the present element begins, and those of certificates of the present item. */
  #from = 0;
  #certificates: XmlPlace['certificates'][number][] = [];

  constructor() {
    this.#reader = new XmlReader({
      onOpen: (name, attributes) => this.#open(name, attributes),
      onText: (text) => {
        if (this.#text !== undefined && this.#text.length < this.#mostText) this.#text += text;
      },
      onClose: (name, isImplied) => this.#close(name, isImplied),
    });
  }

  /** Of the items that the last piece completed, in their order. */
  get places(): readonly XmlPlace[] {
    return this.#places;
  }

  /** Where the item begins that is not complete; `undefined`: there is none. */
  get openFrom(): number | undefined {
    return this.#itemDepth === 0 ? undefined : this.#itemFrom;
  }

  push(piece: string): readonly FeedItem[] {
    this.#ready = [];
    this.#places = [];
    try {
      this.#reader.write(piece);
    } catch (error) {
      // the items before it are whole
      if (!(error instanceof LimitExceeded)) throw error;
      this.state.over = error;
    }
    return this.#ready;
  }

  end(): void {
    this.#reader.end();
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
      this.#values = 0;
      this.#itemText = 0;
      this.#itemFrom = this.#reader.place.from;
      this.#certificates = [];
    } else if (this.#depth === this.#itemDepth + 1) {
      this.#text = '';
      this.#from = this.#reader.place.from;
      this.#mostText = name === 'certificate' ? MAX_CERTIFICATE : MAX_TEXT;
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
      const text = this.#text.trim();
      // the only element of other vocabularies that is read: a certificate that the item carries, in the namespace of its service
      const isRead = vocabulary !== 'other' || name === 'certificate';
      if (name === 'certificate')
        this.#certificates.push({ from: this.#from, to: this.#reader.place.to, text });
      if (isRead && text !== '')
        this.#add(vocabulary === 'other' ? 'svc:certificate' : name, text, vocabulary);
      this.#text = undefined;
    } else if (this.#depth === this.#itemDepth && !implied) {
      this.#itemDepth = 0;
      this.#places.push({ close: this.#reader.place, certificates: this.#certificates });
      this.#ready.push(new Map([...this.#own, ...this.#feed]));
    }
    this.#depth--;
    if (this.#depth === 0 && !implied) this.state.closed = true;
  }

  #add(name: string, text: string, vocabulary: Vocabulary): void {
    this.#values++;
    this.#itemText += text.length;
    if (this.#values > MAX_VALUES || this.#itemText > MAX_ITEM_TEXT) return;
    const values = vocabulary === 'google' ? this.#feed : this.#own;
    const known = values.get(name);
    if (known === undefined) values.set(name, [text]);
    else known.push(text);
  }
}
