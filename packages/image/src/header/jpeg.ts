import type { ByteView } from './byte-view.ts';
import type { ImageHeader } from './read-header.ts';
import { sized, unsized } from './sized.ts';

/** Segments without a length: SOI, TEM and the restart markers (ITU-T T.81, B.1.1.3). */
const isBare = (marker: number) => marker === 0xd8 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
/** Start of a frame, of any process: C0 to CF without DHT, JPG and DAC. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Walks segments up to the frame header; pixels begin after it, so a file without one has no size. */
export function readJpeg(view: ByteView): ImageHeader | null {
  if (view.u16(0) !== 0xffd8 || view.u8(2) !== 0xff) return null;
  const mediaType = 'image/jpeg';
  for (let at = 2; at < view.length; ) {
    if (view.u8(at) !== 0xff) break;
    const marker = view.u8(at + 1);
    // any number of fill bytes may stand before a marker
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else if (isFrame(marker)) {
      return sized(view, at + 9, { mediaType, height: view.u16(at + 5), width: view.u16(at + 7) });
    } else at += 2 + Math.max(2, view.u16(at + 2));
  }
  return unsized(mediaType);
}
