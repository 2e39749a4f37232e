import type { ByteView } from './byte-view.ts';
import type { ImageHeader } from './read-header.ts';
import { sized, unsized } from './sized.ts';

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
