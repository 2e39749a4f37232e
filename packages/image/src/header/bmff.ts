import type { ByteView } from './byte-view.ts';
import { unsized } from './formats.ts';
import type { ImageHeader } from './image-header.ts';

const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'];
/** Brands of the container only; the compatible brands state the format of the image. */
const STRUCTURAL_BRANDS = ['mif1', 'msf1', 'mif2', 'miaf'];

interface Box {
  readonly type: string;
  /** Offsets of its content. */
  readonly begin: number;
  readonly end: number;
}

/** AVIF and HEIC: boxes of ISO/IEC 14496-12, the size in `ispe` (ISO/IEC 23008-12, 6.5.3). */
export function readBmff(view: ByteView): ImageHeader | null {
  const [file] = boxesIn(view, 0, view.length);
  if (file?.type !== 'ftyp') return null;
  const mediaType = kindOf(brandsOf(view, file));
  if (mediaType === null) return null;
  const sizes = find(view, { type: '', begin: 0, end: view.length }, ['meta', 'iprp', 'ipco', 'ispe']).map(
    ({ begin }) => ({ width: view.u32(begin + 4), height: view.u32(begin + 8) }),
  );
  // tiles and thumbnails have sizes, too; the largest bounds the cost of decoding, and in practice is the picture itself
  const [largest] = sizes.toSorted((a, b) => b.width * b.height - a.width * a.height);
  return largest === undefined ? unsized(mediaType) : { mediaType, ...largest };
}

function brandsOf(view: ByteView, { begin, end }: Box): readonly string[] {
  const brands = [view.tag(begin)];
  for (let at = begin + 8; at + 4 <= end && brands.length < 32; at += 4) brands.push(view.tag(at));
  return brands;
}

function kindOf([major = '', ...compatible]: readonly string[]): 'image/avif' | 'image/heic' | null {
  const brands = STRUCTURAL_BRANDS.includes(major) ? compatible : [major];
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'image/avif';
  return brands.some((brand) => HEIC_BRANDS.includes(brand)) ? 'image/heic' : null;
}

function find(view: ByteView, within: Box, [type, ...rest]: readonly string[]): readonly Box[] {
  if (type === undefined) return [within];
  // `meta` is a full box: its content begins with four bytes of version and flags
  const begin = within.type === 'meta' ? within.begin + 4 : within.begin;
  const found = boxesIn(view, begin, within.end).filter((box) => box.type === type);
  // only properties may come more than once
  return (rest.length === 0 ? found : found.slice(0, 1)).flatMap((box) => find(view, box, rest));
}

/** The boxes in a range, up to the first malformed one. Each has at least 8 bytes, so this terminates. */
function boxesIn(view: ByteView, begin: number, end: number): readonly Box[] {
  const boxes: Box[] = [];
  for (let at = begin; at + 8 <= end && boxes.length < MAX_BOXES; ) {
    const { head, size } = sizeAt(view, at, end);
    if (size < head || at + size > end) break;
    boxes.push({ type: view.tag(at + 4), begin: at + head, end: at + size });
    at += size;
  }
  return boxes;
}

const MAX_BOXES = 10_000;

/** A size of 0 means up to the end of the file, 1 that a size of 64 bits follows. */
function sizeAt(view: ByteView, at: number, end: number): { head: number; size: number } {
  const short = view.u32(at);
  if (short === 0) return { head: 8, size: end - at };
  if (short !== 1) return { head: 8, size: short };
  return { head: 16, size: view.u32(at + 8) * 2 ** 32 + view.u32(at + 12) };
}
