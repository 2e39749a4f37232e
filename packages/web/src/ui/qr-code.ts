import { generate } from 'lean-qr';

/** A QR code as a path of unit squares, in an area of `size` by `size`. */
export interface QrCodePath {
  readonly size: number;
  readonly path: string;
}

export function qrCodeOf(text: string): QrCodePath {
  const code = generate(text);
  let path = '';
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`;
  }
  return { size: code.size, path };
}
