import sharp from 'sharp';

/** 96 x 64 pixels by x265, created once with libheif, since no dependency can encode it. */
const HEIC = `
AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA
AA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAAAtgAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEA
AGh2YzEAAAAAwmlwcnAAAACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMA
AAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoDCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAAABRpc3Bl
AAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAC+bWRhdAAAALIoAa8ZgP1Hm0jk3sEr
hqJQwRaNKkaMrLb9AVBdaeHFvFAN8+ubKE2cDDdq3FKQYQgSXy+A34DZmxRY7cvKSEMOHgCrIuvTLnV5nzua49n7qsYIQPWtKxVT
E9287CDnQ+yweABaVFADn2jKp1y9OU2L914FkB/npdQrVIPHNDjH/IkZOpQj5rKrQk4lvO1+zGKZKQhkap95fDi/ulv6K0/PgHuA
t/h6KOsmpscaT/5XGYII
`;

/** One small picture in each of the six formats. */
export async function pictures() {
  const picture = sharp(pixels(), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
  return {
    'image/jpeg': await picture.clone().jpeg().toBuffer(),
    'image/png': await picture.clone().png().toBuffer(),
    'image/webp': await picture.clone().webp().toBuffer(),
    'image/avif': await picture.clone().avif({ effort: 1 }).toBuffer(),
    'image/gif': await picture.clone().gif().toBuffer(),
    'image/heic': Buffer.from(HEIC, 'base64'),
  } as const;
}

const WIDTH = 96;
const HEIGHT = 64;

function pixels(): Uint8Array {
  return Uint8Array.from({ length: WIDTH * HEIGHT * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % WIDTH, Math.floor(i / 3 / WIDTH)];
    return [x * 2, y * 3, ((x >> 4) + (y >> 4)) % 2 === 0 ? 0 : 200][i % 3] ?? 0;
  });
}

/** A JPEG whose XMP refers to a remote manifest (C2PA 11.5). */
export function withRemoteManifest(jpeg: Buffer, url: string): Buffer {
  const xmp = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/" dcterms:provenance="${url}"/></rdf:RDF></x:xmpmeta>`;
  const head = Buffer.from([0xff, 0xe1, (xmp.length + 2) >> 8, (xmp.length + 2) & 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(xmp), jpeg.subarray(2)]);
}
