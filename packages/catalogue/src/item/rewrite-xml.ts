import { fileProblem, problemRow } from '../draft.ts';
import { CATALOGUE_LIMITS, overLimit } from '../limits.ts';
import { htmlProblem } from '../read-feed.ts';
import { spliced, type TextRange } from '../text-range.ts';
import { truncate } from '../values.ts';
import { XmlItems, type XmlPlace } from '../xml-items.ts';
import { certificateOf } from './carried.ts';
import { FeedTape } from './feed-tape.ts';
import { readFeedItem } from './read-item.ts';
import type { CertificateToWrite, FeedPart } from './types.ts';

/** The items of a Google feed (RSS 2.0, Atom) with their texts. */
export async function* rewriteXml(pieces: AsyncIterable<string>): AsyncGenerator<FeedPart, void, undefined> {
  const xml = new XmlItems();
  const tape = new FeedTape();
  let row = 0;
  /** Whether the beginning of the present item was passed on already. */
  let isLong = false;
  for await (const piece of pieces) {
    tape.push(piece);
    const items = xml.push(piece);
    for (const [at, fields] of items.entries()) {
      const place = xml.places[at] as XmlPlace;
      const item = readFeedItem(fields);
      const { from } = tape;
      const text = tape.take(place.close.to);
      row++;
      if (isLong) yield { ...problemRow(row, 'row_too_large', overLimit('characters')), text };
      else if (item === null) yield { ...problemRow(row, 'row_not_product'), text };
      else yield { row, item, text, write: (...given) => written(text, from, place, ...given) };
      isLong = false;
    }
    if (xml.state.root === 'html') return yield { ...htmlProblem(), text: tape.take() };
    if (xml.state.over !== undefined) throw xml.state.over;
    const text = tape.take(xml.openFrom ?? tape.to);
    if (text !== '') yield { text };
    if (tape.to - tape.from <= CATALOGUE_LIMITS.characters.most) continue;
    isLong = true;
    yield { text: tape.take() };
  }
  xml.end();
  const { root, closed } = xml.state;
  const text = tape.take();
  if (root === undefined || root === 'html') yield { ...htmlProblem(), text };
  else if (!closed) {
    const reason = `<${truncate(root, 40)}> is not closed; ${row} items came before.`;
    yield { ...fileProblem('file_truncated', reason), text };
  } else if (row === 0) {
    const reason = `It is XML with the root <${truncate(root, 40)}> and no items.`;
    yield { ...fileProblem('shape_unknown', reason), text };
  } else if (text !== '') yield { text };
}

/** @param from - where the text begins in that of the feed */
function written(
  text: string,
  from: number,
  { close, certificates }: XmlPlace,
  certificate: CertificateToWrite | undefined,
  isReplaced: (document: unknown) => boolean,
): string | null {
  const within = (range: TextRange) => ({ from: range.from - from, to: range.to - from });
  const closing = within(close).from;
  // a closing tag may be missing where the parser implies it
  if (!text.startsWith('</', closing)) return null;
  const old = certificates.filter((one) => isReplaced(certificateOf(one.text))).map(within);
  const element =
    certificate === undefined
      ? ''
      : `<svc:certificate xmlns:svc="${attribute(certificate.namespaceUrl)}">${certificate.json}</svc:certificate>`;
  const place = old[0] ?? { from: closing, to: closing };
  const edits = [{ range: place, by: element }, ...old.slice(1).map((range) => ({ range, by: '' }))];
  return edits.toReversed().reduce((edited, { range, by }) => spliced(edited, range, by), text);
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
