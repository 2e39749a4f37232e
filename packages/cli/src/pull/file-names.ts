import { createHash } from 'node:crypto';

/** Characters of one part of a path; file systems take 255 bytes. */
const MAX_PART = 100;
/** Not in names: what separates parts, what Windows forbids, and whatever cannot be seen. */
const FORBIDDEN = /[\\/:*?"<>|\p{C}\p{Zl}\p{Zp}]/gu;
/** Names of devices, and those that end as no file may, on Windows. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|[. ]$/i;

/** Gives each image a name of its own below a folder. */
export type NameFile = (image: NamedImage) => string;

export interface NamedImage {
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
 * Names files as the shop does, by host and path, so that a folder can be uploaded as it is. Two images that would have
 * one name, by their queries or on a file system that ignores case, have the beginning of their id in it.
 *
 * @returns names of the same images in the same order are the same at every run
 */
export function createNameFile(): NameFile {
  const taken = new Set<string>();
  return ({ id, url, mediaType }) => {
    const { host, pathname } = new URL(url);
    const parts = pathname.split('/').filter((part) => part !== '');
    const last = parts.pop() ?? 'image';
    const folder = [host, ...parts].map((part) => clean(part)).join('/');
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

/** One part of a path, which leads nowhere else, whatever a stranger called it. */
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
