import { madeNames } from '../../../packages/lookalikes/src/testing.ts';
import { FOUND_CHANGES, OTHER_CHANGES, SAME_BYTES } from '../../kit/copied-pictures.ts';
import { type Random, seeded } from '../../kit/random.ts';
import type { Json } from '../../kit/service.ts';

/** The host of the shop that is cloned. */
export const ORIGINAL = 'lanternhill.co.uk';

const HOST_KINDS: Readonly<Record<string, readonly string[]>> = {
  'a confusable letter': ['a Cyrillic letter', 'digits for letters', 'an accent'],
  'an added word': ['a word behind a hyphen', 'a word before it', 'two words', 'a word and another suffix'],
  'another suffix': ['another suffix'],
  'the name below another domain': ['below another domain', 'its name below another', 'a name on a platform'],
};
export const UNRELATED = 'an unrelated name';
const UNRELATED_HOSTS = ['dealportal.top', 'velvetine.fr', 'tidepoolswim.com', 'casamarbella.es'];

const CERTIFICATES = ['kept', 'stripped', 'altered document', 'altered claims'] as const;
const TEXTS = ['kept', 'translated', 'shuffled'] as const;

/** Changes of pictures after which a clone is to be found. */
export const GOALS: readonly string[] = [SAME_BYTES, ...Object.keys(FOUND_CHANGES)];
const PICTURES: readonly string[] = [...GOALS, ...Object.keys(OTHER_CHANGES)];

/** How one clone differs from the page from which it was made. */
export interface CloneKind {
  readonly host: string;
  readonly certificate: (typeof CERTIFICATES)[number];
  readonly pictures: string;
  readonly text: (typeof TEXTS)[number];
}

export interface Clone {
  readonly kind: CloneKind;
  /** Address of the page. */
  readonly url: string;
  /** Place of the product that is cloned, among so many. */
  readonly product: number;
}

/**
 * Every two values of different dimensions together, and each change of pictures with each kind of host twice: a sixth of all. The same seed
 * makes the same clones.
 */
export function makeClones(products: number, seed = 1): Clone[] {
  const random = seeded(seed);
  const hostKinds = [...Object.keys(HOST_KINDS), UNRELATED];
  return PICTURES.flatMap((pictures, p) =>
    hostKinds.flatMap((host, h) =>
      [0, 1].map((twice) => {
        const certificate = CERTIFICATES[
          (p + h + 2 * twice) % CERTIFICATES.length
        ] as CloneKind['certificate'];
        const text = TEXTS[(p + 2 * h + twice) % TEXTS.length] as CloneKind['text'];
        const place = `${hostOf(host, random)}/p/${p}-${h}-${twice}`;
        const kind = { host, certificate, pictures, text };
        return { kind, url: new URL(`http://${place}`).href, product: random.integer(products) };
      }),
    ),
  );
}

function hostOf(kind: string, random: Random): string {
  const ways = HOST_KINDS[kind];
  if (ways === undefined) return random.of(UNRELATED_HOSTS);
  const way = random.of(ways);
  const made = madeNames(1 + random.integer(20)).find((name) => name.of === ORIGINAL && name.way === way);
  if (made === undefined) throw new Error(`no such way of making names: ${way}`);
  return made.host;
}

export interface ShownText {
  readonly name: string;
  readonly text: string;
}

/** The text of a clone. */
export function changedText(
  kind: CloneKind['text'],
  original: ShownText,
  translated: ShownText,
  seed: number,
): ShownText {
  if (kind === 'kept') return original;
  if (kind === 'translated') return translated;
  const shuffled = (text: string) => {
    const random = seeded(seed);
    const words = text.split(' ').map((word) => ({ word, at: random.number() }));
    return words
      .toSorted((a, b) => a.at - b.at)
      .map(({ word }) => word)
      .join(' ');
  };
  return { name: shuffled(original.name), text: shuffled(original.text) };
}

/** The certificate on a clone: what its maker changes is the address, in the document alone or also in the claims. */
export function changedCertificate(
  kind: CloneKind['certificate'],
  certificate: Json,
  url: string,
): Json | undefined {
  if (kind === 'stripped') return undefined;
  if (kind === 'kept') return certificate;
  if (kind === 'altered document') return { ...certificate, url };
  const proof = certificate.proof as Json;
  const [header, payload = '', signature] = String(proof.jwt).split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Json;
  const altered = Buffer.from(JSON.stringify(withHost(claims, new URL(url).host))).toString('base64url');
  return { ...certificate, url, proof: { ...proof, jwt: [header, altered, signature].join('.') } };
}

/** The same claims for another host. */
const withHost = (claims: Json, host: string): Json =>
  JSON.parse(JSON.stringify(claims).replaceAll(ORIGINAL, host)) as Json;

/** A text with its sentences in another order. */
export function shuffledSentences(text: string, seed: number): string {
  const random = seeded(seed);
  const sentences = text.split(/(?<=[.!?])\s+/).map((sentence) => ({ sentence, at: random.number() }));
  return sentences
    .toSorted((a, b) => a.at - b.at)
    .map(({ sentence }) => sentence)
    .join(' ');
}

/** A product page as a shop shows it. */
export function clonePage(
  { name, text }: ShownText,
  images: readonly string[],
  certificate: Json | undefined,
): string {
  const own = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    description: text,
    image: images,
  };
  const blocks = [own, ...(certificate === undefined ? [] : [certificate])].map(
    (node) => `<script type="application/ld+json">${JSON.stringify(node)}</script>`,
  );
  return `<!doctype html><html lang="en"><head><title>${name}</title><meta property="og:title" content="${name}">${blocks.join('')}</head>
    <body><main><h1>${name}</h1><p>${text}</p>${images.map((src) => `<img src="${src}" alt="">`).join('')}</main></body></html>`;
}
