import { Parser } from 'htmlparser2';
import { CATALOGUE_LIMITS, LimitExceeded, type LimitName } from './limits.ts';

/** The events of an XML text. Names are as written. */
export interface XmlHandlers {
  readonly onOpen: (name: string, attributes: Readonly<Record<string, string>>) => void;
  /** Part of the text of an element. */
  readonly onText: (text: string) => void;
  /** @param isImplied - the element was not closed itself, but one around it */
  readonly onClose: (name: string, isImplied: boolean) => void;
}

/**
 * Parses XML while it is read, within limits: the parser searches its open elements for each closing tag, and keeps whatever is
 * not closed. Entities that a document defines itself are never resolved.
 *
 * @throws LimitExceeded depth, attributes, markup
 */
export class XmlReader {
  readonly #parser: Parser;
  #depth = 0;
  #attributes = 0;
  /** Characters since the last event: those of a tag, comment or the like that has not ended. */
  #pending = 0;

  constructor({ onOpen, onText, onClose }: XmlHandlers) {
    const isEnded = () => {
      this.#pending = 0;
    };
    this.#parser = new Parser(
      {
        onopentagname: () => this.#count('depth', ++this.#depth),
        onattribute: () => this.#count('attributes', ++this.#attributes),
        onopentag: (name, attributes) => {
          isEnded();
          this.#attributes = 0;
          onOpen(name, attributes);
        },
        ontext: (text) => {
          isEnded();
          onText(text);
        },
        onclosetag: (name, isImplied) => {
          isEnded();
          this.#depth--;
          onClose(name, isImplied);
        },
        oncomment: isEnded,
        onprocessinginstruction: isEnded,
      },
      { xmlMode: true, decodeEntities: true },
    );
  }

  /** Characters of the text before the tag of the present event, and up to its end. */
  get place(): { readonly from: number; readonly to: number } {
    return { from: this.#parser.startIndex, to: this.#parser.endIndex + 1 };
  }

  write(piece: string): void {
    this.#pending += piece.length;
    this.#parser.write(piece);
    this.#count('markup', this.#pending);
  }

  end(): void {
    this.#parser.end();
  }

  #count(limit: LimitName, count: number): void {
    if (count > CATALOGUE_LIMITS[limit].most) throw new LimitExceeded(limit);
  }
}
