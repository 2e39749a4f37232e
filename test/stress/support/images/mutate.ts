/** The file with one to eight mutations of kinds that break parsers. */
export function mutated(file: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(file);
  for (let faults = 1 + random(8); faults > 0 && bytes.length > 8; faults -= 1) {
    const at = random(bytes.length - 4);
    switch (random(6)) {
      case 0:
        bytes[at] = random(256);
        break;
      case 1:
        bytes.writeUInt32BE([0, 1, 7, 0x7fffffff, 0xffffffff][random(5)] ?? 0, at);
        break;
      case 2:
        bytes = bytes.subarray(0, at);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(random(bytes.length))]);
        break;
      case 4:
        bytes.fill(random(256), at, Math.min(bytes.length, at + random(64)));
        break;
      default:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          bytes.subarray(at, at + random(2_000)),
          bytes.subarray(at),
        ]);
    }
  }
  return bytes;
}
