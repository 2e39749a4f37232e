import type { IdentityStatus, Ingredient, ManifestReport } from '@touchstone/image';
import type { ImageInspection } from '@touchstone/image/node';
import { list, type Paint, type Style, safe, table } from './text.ts';

/** The verdict on the manifest with its reasons, then the manifest's content and the image's properties. */
export function imageText(
  subject: string,
  { header, manifest, ...hashes }: ImageInspection,
  paint: Paint,
): string {
  const { title, style, why } = verdictOf(manifest);
  const about: readonly (readonly [string, string | undefined])[] = [
    ['image', `${header.mediaType}, ${header.width} x ${header.height}`],
    ['trust', trustOf(manifest)],
    ['signer', named(manifest.signer?.commonName, manifest.signer?.issuer)],
    ['signed', timeOf(manifest)],
    ['identity', identityOf(manifest)],
    ['title', manifest.title],
    ['made with', manifest.claimGenerator],
    ['actions', manifest.actions.map(({ action }) => action).join(', ')],
    ['uhash', hashes.uhash],
    [
      'phash',
      hashes.phash ??
        '(the pixels cannot be decoded; formats are decoded by sharp and heic-decode, where they are installed)',
    ],
  ];
  const rows = about.flatMap(([label, value]) =>
    value === undefined || value === '' ? [] : [[{ text: label, shown: paint('dim', safe(label)) }, value]],
  );
  return [
    `${paint('strong', paint(style, title))}  ${safe(subject)}\n${why}\n`,
    list('', manifest.failures.map(failureText)),
    table(rows),
    list(
      'Says',
      manifest.assertions.map(({ label, data }) => `${label}: ${JSON.stringify(data)}`),
    ),
    list(
      'Made from',
      manifest.ingredients.flatMap((ingredient) => ingredientTexts(ingredient, '')),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

interface Verdict {
  readonly title: string;
  readonly style: Style;
  readonly why: string;
}

function verdictOf({ valid, hasManifest, failures }: ManifestReport): Verdict {
  if (valid) {
    const why = 'The C2PA manifest is valid: neither it nor the image was changed since it was signed.';
    return { title: 'VALID MANIFEST', style: 'good', why };
  }
  if (hasManifest) {
    const why = 'The C2PA manifest is not valid: something was changed, or its signature is wrong.';
    return { title: 'INVALID MANIFEST', style: 'bad', why };
  }
  const elsewhere = failures.length > 0 ? ' It refers to one stored elsewhere, which is never fetched.' : '';
  return { title: 'NO MANIFEST', style: 'unsure', why: `The image carries no C2PA manifest.${elsewhere}` };
}

function trustOf({ trust }: ManifestReport): string | undefined {
  if (trust.status === 'none') return undefined;
  const by = trust.list === 'no list' ? 'no trust list was given' : `by ${trust.list}, ${trust.listDate}`;
  return `${trust.status === 'trusted' ? 'signer trusted' : 'signer not trusted'} (${by})`;
}

/** A signing time is shown as a fact only if its authority is trusted. */
function timeOf({ signer }: ManifestReport): string | undefined {
  if (signer?.time === undefined || signer.timeTrusted === true) return signer?.time;
  return `${signer.time}, by a time stamp whose authority is not trusted`;
}

const IDENTITIES: Readonly<Record<IdentityStatus, string>> = {
  none: '',
  trusted: 'stated by a party other than the signer, and trusted',
  untrusted: 'stated by a party other than the signer, and not trusted',
  unchecked: 'stated, but not checked: that requires data stored elsewhere, and nothing is fetched',
  invalid: 'stated, but not valid',
};

function identityOf({ identity: { status, findings } }: ManifestReport): string {
  const codes = [...new Set(findings.map(({ code }) => code))].join(', ');
  return codes === '' ? IDENTITIES[status] : `${IDENTITIES[status]} (${codes})`;
}

function named(name?: string, organisation?: string): string | undefined {
  if (name === undefined || name === organisation) return organisation;
  return organisation === undefined ? name : `${name}, ${organisation}`;
}

function failureText({ code, explanation }: ManifestReport['failures'][number]): string {
  return explanation === undefined ? code : `${code}: ${explanation}`;
}

function ingredientTexts(
  { title, relationship, failures, ingredients = [] }: Ingredient,
  of: string,
): readonly string[] {
  const name = title ?? 'an image';
  const wrong =
    failures.length === 0
      ? ''
      : `, whose own manifest was not valid (${failures.map(({ code }) => code).join(', ')})`;
  const whole = `${name} (${relationship}${of})${wrong}`;
  return [whole, ...ingredients.flatMap((below) => ingredientTexts(below, ` of ${name}`))];
}
