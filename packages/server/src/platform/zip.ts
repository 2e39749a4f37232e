import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  /** ASCII, separated by slashes. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** 1 January 1980, the first date of the format: real dates would make archives of equal sources differ. */
const DATE = 0x21;
const DEFLATED = 8;
/** Version of the format that has compression and folders. */
const VERSION = 20;
/** Made on Unix, a file readable by all: 0100644. */
const MADE_BY = (3 << 8) | VERSION;
const MODE = (0o100644 << 16) >>> 0;

/**
 * A ZIP archive of these files, in this order (PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16).
 *
 * @param level - of compression; the highest takes some 40 ms for a megabyte
 */
export function writeZip(entries: readonly ZipEntry[], level = 9): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const packed = deflateRawSync(bytes, { level });
    const about = Buffer.alloc(26);
    about.writeUInt16LE(VERSION, 0);
    about.writeUInt16LE(DEFLATED, 4);
    about.writeUInt16LE(DATE, 8);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(bytes.length, 18);
    about.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(MODE, 6);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\x01\x02'), uint16(MADE_BY), about, rest, Buffer.from(name));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}

function uint16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16LE(value);
  return buffer;
}
