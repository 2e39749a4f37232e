import { inflateRawSync } from 'node:zlib';

/** The files of an archive with their texts, by its central directory. */
export function filesIn(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  for (let at = zip.indexOf('PK\x01\x02'); at !== -1; at = zip.indexOf('PK\x01\x02', at + 4)) {
    const size = zip.readUInt32LE(at + 20);
    const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28));
    const offset = zip.readUInt32LE(at + 42);
    const from = offset + 30 + zip.readUInt16LE(offset + 26);
    files.set(name, inflateRawSync(zip.subarray(from, from + size)).toString('utf8'));
  }
  return files;
}
