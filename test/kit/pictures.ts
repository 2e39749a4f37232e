import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { Shop } from './shop.ts';

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif';

/** A different picture for each name: soft blobs, similar to photos, so that it survives resizing. */
export async function picture(name: string, format: PictureFormat = 'jpeg', side = 160): Promise<Buffer> {
  const seed = createHash('sha256').update(name).digest();
  const at = (i: number) => seed[i % seed.length] ?? 0;
  const shapes = Array.from({ length: 8 }, (_, i) => {
    const colour = `rgb(${at(i)},${at(i + 8)},${at(i + 16)})`;
    const [x, y, r] = [at(3 * i), at(3 * i + 1), 20 + (at(3 * i + 2) % 60)].map((v) => (v * side) / 255);
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">
    <rect width="100%" height="100%" fill="rgb(${at(1)},${at(2)},${at(3)})"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).toFormat(format).toBuffer();
}

/** Serves bytes as a shop does: with a validator, and 304 for conditional requests. */
export function servePicture(shop: Shop, url: string, bytes: Uint8Array): void {
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`;
  shop.put(url, (request, response) => {
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
    // hosts often send a wrong type
    response.writeHead(200, { 'content-type': 'application/octet-stream', etag }).end(bytes);
  });
}
