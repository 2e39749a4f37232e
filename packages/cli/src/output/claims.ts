import type { PageClaim } from '@touchstone/certificate/schema';

const KINDS: Readonly<Record<PageClaim['kind'], string>> = {
  certification: 'certification',
  credential: 'credential',
  product_passport: 'product passport',
  digital_link: 'GS1 Digital Link',
};

/** A claim of a page in one line: what it is, who is said to certify, under which number, and where it points. */
export function claimText({ kind, name, id, issuer, url }: PageClaim): string {
  const by = issuer?.name === undefined ? issuer?.id : [issuer.name, issuer.id].filter(Boolean).join(', ');
  return [
    `${KINDS[kind]}${name === undefined ? '' : ` ${JSON.stringify(name)}`}`,
    ...(by === undefined ? [] : [`said to be by ${JSON.stringify(by)}`]),
    ...(id === undefined || id === url ? [] : [`number ${JSON.stringify(id)}`]),
    ...(url === undefined ? [] : [url]),
  ].join('; ');
}
