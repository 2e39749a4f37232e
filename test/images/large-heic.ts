interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * A HEIC of any size in a few bytes: one small picture on a grey canvas (ISO/IEC 23008-12, 6.6.2.2), which takes as much memory to decode
 * as any other of that size.
 *
 * @param picture - HEIC with one item, as in pictures.ts
 */
export function largeHeic(picture: Buffer, { width, height }: Size): Buffer {
  const boxes = topBoxes(picture);
  const inner = topBoxes(Buffer.from(required(boxes, 'meta').subarray(4)));
  const properties = topBoxes(required(topBoxes(required(inner, 'iprp')), 'ipco'));
  const coded = required(boxes, 'mdat');
  const overlay = Buffer.concat([
    Buffer.from([0, 1]),
    ...[32_768, 32_768, 32_768, 65_535].map(u16),
    ...[width, height, 0, 0].map(u32),
  ]);
  const entry = (id: number, type: string) => box('infe', Buffer.from([2, 0, 0, 0, 0, id, 0, 0]), type, '\0');
  const meta = (start: number) =>
    box(
      'meta',
      u32(0),
      box('hdlr', required(inner, 'hdlr')),
      box('pitm', u32(0), u16(2)),
      box('iinf', u32(0), u16(2), entry(1, 'hvc1'), entry(2, 'iovl')),
      box('iref', u32(0), box('dimg', u16(2), u16(1), u16(1))),
      box(
        'iprp',
        box(
          'ipco',
          box('hvcC', required(properties, 'hvcC')),
          box('ispe', required(properties, 'ispe')),
          box('pixi', required(properties, 'pixi')),
          box('ispe', u32(0), u32(width), u32(height)),
        ),
        box('ipma', u32(0), u32(2), u16(1), Buffer.from([3, 0x81, 2, 3]), u16(2), Buffer.from([2, 4, 3])),
      ),
      box(
        'iloc',
        u32(0),
        Buffer.from([0x44, 0]),
        u16(2),
        ...[
          [1, start, coded.length],
          [2, start + coded.length, overlay.length],
        ].map(([id = 0, offset = 0, length = 0]) =>
          Buffer.concat([u16(id), u16(0), u16(1), u32(offset), u32(length)]),
        ),
      ),
    );
  const head = box('ftyp', required(boxes, 'ftyp'));
  const start = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(start), box('mdat', coded, overlay)]);
}

function topBoxes(bytes: Buffer): Map<string, Buffer> {
  const boxes = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    boxes.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + bytes.readUInt32BE(at)));
  }
  return boxes;
}

function required(boxes: ReadonlyMap<string, Buffer>, type: string): Buffer {
  const found = boxes.get(type);
  if (found === undefined) throw new Error(`no box ${type}`);
  return found;
}

function box(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return Buffer.concat([u32(content.length + 8), Buffer.from(type), content]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
