import type { ByteView } from './byte-view.ts';
import type { ImageHeader, ImageMediaType } from './image-header.ts';

export function readPng(view: ByteView): ImageHeader | null {
  if (view.u32(0) !== 0x89504e47 || view.u32(4) !== 0x0d0a1a0a) return null;
  const mediaType = 'image/png';
  if (view.tag(12) !== 'IHDR') return unsized(mediaType);
  return sized(view, 24, { mediaType, width: view.u32(16), height: view.u32(20) });
}

export function readGif(view: ByteView): ImageHeader | null {
  const version = view.u16(4);
  if (view.tag(0) !== 'GIF8' || (version !== 0x3761 && version !== 0x3961)) return null;
  return sized(view, 10, { mediaType: 'image/gif', width: view.u16le(6), height: view.u16le(8) });
}

/** The three forms of WebP (RFC 9649): extended, lossless, lossy. */
export function readWebp(view: ByteView): ImageHeader | null {
  if (view.tag(0) !== 'RIFF' || view.tag(8) !== 'WEBP') return null;
  const mediaType = 'image/webp';
  switch (view.tag(12)) {
    case 'VP8X':
      return sized(view, 30, { mediaType, width: view.u24le(24) + 1, height: view.u24le(27) + 1 });
    case 'VP8L': {
      const bits = view.u32le(21);
      const [width, height] = [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
      return sized(view, 25, { mediaType, width, height });
    }
    case 'VP8 ':
      return sized(view, 30, {
        mediaType,
        width: view.u16le(26) & 0x3fff,
        height: view.u16le(28) & 0x3fff,
      });
    default:
      return unsized(mediaType);
  }
}

/** Segments without a length: SOI, TEM and the restart markers (ITU-T T.81, B.1.1.3). */
const isBare = (marker: number) => marker === 0xd8 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
/** Start of a frame, of any process: C0 to CF without DHT, JPG and DAC. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Reads segments up to the frame header; pixels begin after it, so a file without one has no size. */
export function readJpeg(view: ByteView): ImageHeader | null {
  if (view.u16(0) !== 0xffd8 || view.u8(2) !== 0xff) return null;
  const mediaType = 'image/jpeg';
  for (let at = 2; at < view.length; ) {
    if (view.u8(at) !== 0xff) break;
    const marker = view.u8(at + 1);
    // any number of fill bytes may precede a marker
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else if (isFrame(marker)) {
      return sized(view, at + 9, { mediaType, height: view.u16(at + 5), width: view.u16(at + 7) });
    } else at += 2 + Math.max(2, view.u16(at + 2));
  }
  return unsized(mediaType);
}

/** A header without a size: the file is truncated before it. */
export function unsized(mediaType: ImageMediaType): ImageHeader {
  return { mediaType, width: 0, height: 0 };
}

/**
 * A header whose size ends before `end`; without a size if the file ends earlier, since a truncated number is another number.
 */
function sized(view: ByteView, end: number, header: ImageHeader): ImageHeader {
  return view.length < end ? unsized(header.mediaType) : header;
}
