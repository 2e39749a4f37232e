import { createHash } from 'node:crypto';

/** Maximum characters of one part of a path; file systems allow 255 bytes. */
const MAX_PART = 100;
/** Not allowed in names: separators, characters that Windows forbids, and invisible ones. */
const FORBIDDEN = /[\\/:*?"<>|\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Windows: device names, and endings that no file may have. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|[. ]$/i;

/** Gives each image a unique name below a folder. */
type NameFile = (image: NamedImage) => string;

interface NamedImage {
  readonly id: string;
  readonly url: string;
  readonly mediaType: string;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/heic': '.heic',
  'image/gif': '.gif',
};

/**
 * Names files as the shop does, by host and path, so that the folder can be uploaded. Names that would collide, by their queries or on a
 * case-insensitive file system, get the beginning of the image's id.
 *
 * @returns a function that gives the same images in the same order the same names
 */
export function createNameFile(): NameFile {
  const taken = new Set<string>();
  return ({ id, url, mediaType }) => {
    // an address that is none, from a service that is none
    const { host, pathname } = URL.parse(url) ?? { host: '', pathname: '' };
    const parts = pathname.split('/').filter((part) => part !== '');
    const last = parts.pop() ?? 'image';
    const folder = [host || 'unknown', ...parts].map((part) => clean(part)).join('/');
    const named = clean(last);
    const whole = /\.[a-z0-9]{2,5}$/i.test(named) ? named : named + (EXTENSIONS[mediaType] ?? '');
    const dot = whole.lastIndexOf('.');
    const apart = `${whole.slice(0, dot)}-${id.slice(0, 8)}${whole.slice(dot)}`;
    const name = [whole, apart, `${id}-${whole}`]
      .map((each) => `${folder}/${each}`)
      .find((each) => !taken.has(each.toLowerCase()));
    const found = name ?? `${folder}/${id}`;
    taken.add(found.toLowerCase());
    return found;
  };
}

/** One safe part of a path, without separators or device names. */
function clean(part: string): string {
  const decoded = decode(part).toWellFormed().normalize('NFC').replace(FORBIDDEN, '_');
  const safe =
    /^\.+$/.test(decoded) || RESERVED.test(decoded) ? `_${decoded.replace(/[. ]+$/, '')}` : decoded;
  if (safe.length <= MAX_PART) return safe;
  const hash = createHash('sha256').update(safe).digest('hex').slice(0, 8);
  const extension = /\.[a-z0-9]{2,5}$/i.exec(safe)?.[0] ?? '';
  return `${safe.slice(0, MAX_PART - 20).toWellFormed()}-${hash}${extension}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
