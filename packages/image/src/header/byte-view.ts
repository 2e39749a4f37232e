/** Reads numbers from a file that may be truncated: bytes beyond its end are zero, without an error. */
export interface ByteView {
  readonly length: number;
  u8(at: number): number;
  u16(at: number): number;
  u32(at: number): number;
  /** Unsigned, 16 bits, least significant byte first. */
  u16le(at: number): number;
  /** Unsigned, 24 bits, least significant byte first. */
  u24le(at: number): number;
  u32le(at: number): number;
  /** Four bytes as characters, such as the type of a box or chunk. */
  tag(at: number): string;
}

export function viewBytes(bytes: Uint8Array): ByteView {
  const u8 = (at: number) => bytes[at] ?? 0;
  const u16 = (at: number) => u8(at) * 0x100 + u8(at + 1);
  const u16le = (at: number) => u8(at) + u8(at + 1) * 0x100;
  return {
    length: bytes.length,
    u8,
    u16,
    u32: (at) => u16(at) * 0x10000 + u16(at + 2),
    u16le,
    u24le: (at) => u16le(at) + u8(at + 2) * 0x10000,
    u32le: (at) => u16le(at) + u16le(at + 2) * 0x10000,
    tag: (at) => String.fromCharCode(u8(at), u8(at + 1), u8(at + 2), u8(at + 3)),
  };
}
