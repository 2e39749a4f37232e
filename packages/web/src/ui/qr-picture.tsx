import type { QrCodePath } from './qr-code.ts';

/** A QR code as an SVG image; its target should be shown next to it. */
export function QrPicture({ code: { size, path }, label }: { code: QrCodePath; label: string }) {
  // a quiet zone of four squares
  const side = size + 8;
  return (
    <svg class="qr" viewBox={`-4 -4 ${side} ${side}`} role="img" aria-label={label}>
      <rect x="-4" y="-4" width={side} height={side} />
      <path d={path} />
    </svg>
  );
}
