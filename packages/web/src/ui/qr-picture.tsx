import type { QrCodePath } from './qr-code.ts';

/** A QR code as a picture; what it leads to should stand beside it. */
export function QrPicture({ code: { size, path }, label }: { code: QrCodePath; label: string }) {
  // four squares of quiet zone
  const side = size + 8;
  return (
    <svg class="qr" viewBox={`-4 -4 ${side} ${side}`} role="img" aria-label={label}>
      <rect x="-4" y="-4" width={side} height={side} />
      <path d={path} />
    </svg>
  );
}
