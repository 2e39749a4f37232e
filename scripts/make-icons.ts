import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

/** Makes the app icons of the offline verifier: `node scripts/make-icons.ts`. */

const FOLDER = join(import.meta.dirname, '../packages/web/src/verify/icons');
/** The logo of the pages: a dark stone with a streak of gold. */
const STONE = 'M4 5.5 14 2l7 5-1.5 12L9 22 2.5 15z';
const STREAK = 'm8 16 8.5-8.5';

/** @param margin around the logo, in units of its 24: systems crop "maskable" icons to round shapes */
function icon(margin: number): string {
  const size = 24 + 2 * margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-margin} ${-margin} ${size} ${size}"><title>Touchstone</title><rect x="${-margin}" y="${-margin}" width="${size}" height="${size}" fill="#f6f3ec"/><path d="${STONE}" fill="#23262b"/><path d="${STREAK}" fill="none" stroke="#c8992e" stroke-width="2.4" stroke-linecap="round"/></svg>\n`;
}

async function png(svg: string, size: number): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density: 72 * (size / 24) })
    .resize(size, size)
    .png({ palette: true, colours: 32, compressionLevel: 9 })
    .toBuffer();
}

mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, 'icon.svg'), icon(4));
writeFileSync(join(FOLDER, 'icon-192.png'), await png(icon(4), 192));
writeFileSync(join(FOLDER, 'icon-512.png'), await png(icon(4), 512));
writeFileSync(join(FOLDER, 'maskable-512.png'), await png(icon(9), 512));
