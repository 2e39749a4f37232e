import { type Path, placedProducts } from '../detect.ts';
import { problemRow } from '../draft.ts';
import { type JsonElement, JsonSplitter } from '../json-splitter.ts';
import { JsonText } from '../json-text.ts';
import { overLimit } from '../limits.ts';
import { endProblem } from '../read-json.ts';
import { isRecord, type JsonRecord, truncate } from '../values.ts';
import { certificateOf, certificatesIn } from './carried.ts';
import { FeedTape } from './feed-tape.ts';
import { isProtocolItem } from './protocol-item.ts';
import { readItem } from './read-item.ts';
import { nodesIn, productNode } from './schema-org-item.ts';
import type { CertificateToWrite, FeedPart, FeedPartOfItem, ReadItemOptions } from './types.ts';
import { ucpNames } from './ucp-names.ts';

/** The items of JSON, in lists or lines, with their texts. */
export async function* rewriteJson(
  pieces: AsyncIterable<string>,
  options: ReadItemOptions,
): AsyncGenerator<FeedPart, void, undefined> {
  const splitter = new JsonSplitter();
  const tape = new FeedTape();
  let row = 0;
  const partsIn = function* (element: JsonElement): Generator<FeedPart, void, undefined> {
    const end = Math.min(element.end, tape.to);
    if ('over' in element) {
      const detail = `It begins on line ${element.line}. ${overLimit(element.over)}`;
      yield { ...problemRow(++row, 'row_too_large', detail), text: tape.take(end) };
      return;
    }
    const before = tape.take(end - element.text.length);
    if (before !== '') yield { text: before };
    const text = tape.take(end);
    for (const part of partsOfElement(text, row, options)) {
      if ('row' in part) row = part.row;
      else if ('problem' in part) row = part.problem.row;
      yield part;
    }
  };
  for await (const piece of pieces) {
    tape.push(piece);
    for (const element of splitter.push(piece)) yield* partsIn(element);
    if (splitter.isSkipping) yield { text: tape.take() };
  }
  const { last, end } = splitter.end();
  if (last !== undefined) yield* partsIn(last);
  const text = tape.take();
  if (end.kind !== 'complete') yield { ...endProblem(end, row), text };
  else if (text !== '') yield { text };
}

/** @param row - number of the item before */
function* partsOfElement(
  text: string,
  row: number,
  options: ReadItemOptions,
): Generator<FeedPart, void, undefined> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = truncate(error instanceof Error ? error.message : String(error));
    return yield { ...problemRow(row + 1, 'row_not_json', message), text };
  }
  const json = new JsonText(text);
  let done = 0;
  for (const [at, placed] of placedProducts(value).entries()) {
    const { from, to } = json.rangeOf(placed.path);
    if (from > done) yield { text: text.slice(done, from) };
    done = to;
    const number = row + 1 + at;
    const own = text.slice(from, to);
    const item = readItem(placed.value, options);
    if (item === null) yield { ...problemRow(number, 'row_not_product'), text: own };
    else yield { row: number, item, text: own, write: writerOf(own, placed.value) };
  }
  if (done < text.length) yield { text: text.slice(done) };
}

function writerOf(text: string, value: unknown): FeedPartOfItem['write'] {
  return (certificate, isReplaced) => {
    const node = productNode(value);
    const product = node ?? (isRecord(value) ? value : undefined);
    const base = product === undefined ? undefined : pathTo(value, product);
    // a certificate alone, or a text of JSON in JSON
    if (product === undefined || base === undefined || certificateOf(product) !== undefined) return null;
    const beside = node === undefined ? [] : besides(value, product);
    const old = [
      ...certificatesIn(product).map(({ path, document }) => ({ path: [...base, ...path], document })),
      ...beside,
    ].filter(({ path, document }) => path.length > 0 && isReplaced(document));
    const place = certificate === undefined ? undefined : placeIn(product, node !== undefined, certificate);
    const kept = place === undefined ? '' : JSON.stringify([...base, ...place]);
    // another issuer's
    const present = place?.reduce<unknown>((one, name) => (isRecord(one) ? one[name] : undefined), product);
    if (present !== undefined && !isReplaced(certificateOf(present))) return null;
    let written = text;
    // from the last to the first, since removal moves what follows it in a list
    for (const { path } of old.toReversed())
      if (JSON.stringify(path) !== kept) written = new JsonText(written).without(path);
    if (certificate === undefined || place === undefined) return written;
    const [name, inner] = place;
    return inner === undefined
      ? new JsonText(written).withMember(base, name, certificate.json)
      : withInner(written, [...base, name], inner, certificate.json);
  };
}

/** Where an item of its form carries a certificate: a member, or one in a member. */
function placeIn(
  product: JsonRecord,
  isLinkedData: boolean,
  { namespaceUrl, issuer }: CertificateToWrite,
): readonly [string] | readonly [string, string] {
  // in JSON-LD an absolute address is the name of a property whatever the context
  if (isLinkedData) return [`${namespaceUrl}certificate`];
  if (isProtocolItem(product) && (product.metadata === undefined || isRecord(product.metadata)))
    return ['metadata', ucpNames(issuer).name ?? 'certificate'];
  return ['touchstone_certificate'];
}

function withInner(text: string, path: Path, name: string, json: string): string {
  const outer = path.at(-1) as string;
  const parent = path.slice(0, -1);
  const { from, to } = new JsonText(text).rangeOf(parent);
  const value = JSON.parse(text.slice(from, to)) as JsonRecord;
  return isRecord(value[outer])
    ? new JsonText(text).withMember(path, name, json)
    : new JsonText(text).withMember(parent, outer, `{${JSON.stringify(name)}:${json}}`);
}

/** The certificates that stand beside a product in its graph. */
function besides(value: unknown, product: JsonRecord): { readonly path: Path; readonly document: unknown }[] {
  return nodesIn(value).flatMap((node) => {
    const path = node === product ? undefined : pathTo(value, node);
    const document = certificateOf(node);
    return path === undefined || document === undefined ? [] : [{ path, document }];
  });
}

/** Levels of lists, graphs and entries at which nodes are searched. */
const MAX_DEPTH = 8;

function pathTo(value: unknown, wanted: unknown, depth = 0): Path | undefined {
  if (value === wanted) return [];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((inner, at) => [at, inner])
    : Object.entries(value);
  for (const [name, inner] of entries) {
    const rest = pathTo(inner, wanted, depth + 1);
    if (rest !== undefined) return [name, ...rest];
  }
  return undefined;
}
