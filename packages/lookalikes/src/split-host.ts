import { parse } from 'tldts';
import { foldLabel, skeletonOf } from './fold.ts';
import { hostForms } from './host-forms.ts';

/** A label of a host, in the forms in which it is compared. */
export interface Label {
  /** As browsers may show it. */
  readonly unicode: string;
  readonly folded: string;
  readonly skeleton: string;
}

/** A host, split at the name that its owner chose. */
export interface SplitHost {
  readonly ascii: string;
  /** The domain that somebody registered, by the Public Suffix List. */
  readonly domain: string;
  readonly name: Label;
  /** What follows the name: a public suffix. */
  readonly suffix: string;
  /** Before the domain, in the order of the host. */
  readonly below: readonly string[];
}

const OPTIONS = { extractHostname: false, validateHostname: false, detectIp: false, mixedInputs: false };

/**
 * Splits a host. Private suffixes count, since who has a name below a hosting platform is not who has the next.
 *
 * @returns `null` if it is no host name, or a public suffix itself
 */
export function splitHost(text: string): SplitHost | null {
  const forms = hostForms(text);
  if (forms === null) return null;
  const { ascii } = forms;
  const withPrivate = parse(ascii, { ...OPTIONS, allowPrivateDomains: true });
  // the host of the platform itself
  const {
    domain,
    domainWithoutSuffix: name,
    publicSuffix: suffix,
  } = withPrivate.domain === null ? parse(ascii, OPTIONS) : withPrivate;
  if (!domain || !name || !suffix) return null;
  const before = ascii.length - domain.length - 1;
  const below = before > 0 ? ascii.slice(0, before).split('.') : [];
  return { ascii, domain, name: labelOf(name), suffix, below };
}

/** Of an A-label or another label. */
export function labelOf(label: string): Label {
  const unicode = label.startsWith('xn--')
    ? (hostForms(`${label}.example`)?.unicode.slice(0, -'.example'.length) ?? label)
    : label;
  const folded = foldLabel(unicode);
  return { unicode, folded, skeleton: skeletonOf(folded) };
}

/**
 * The domain that somebody registered, by the Public Suffix List; `null` for what is no host name, or a public suffix.
 *
 * @example
 * ```ts
 * import { registeredDomain } from '@touchstone/lookalikes';
 *
 * registeredDomain('www.shop.co.uk'); // 'shop.co.uk'
 * ```
 */
export function registeredDomain(host: string): string | null {
  return splitHost(host)?.domain ?? null;
}
