import { isRecord, type JsonRecord } from '../values.ts';

/** A certificate in an item. */
interface Carried {
  readonly place: string;
  /** The same as members and indexes: where what is to be removed with it stands. Empty: the item itself is the certificate. */
  readonly path: readonly (string | number)[];
  readonly document: unknown;
}

/** Certificates of one item that are returned; variants and members of one place that are searched. */
const MAX_FOUND = 8;
const MAX_VARIANTS = 100;
const MAX_MEMBERS = 200;
/** Characters of a certificate as text: several times the largest. */
const MAX_TEXT = 500_000;

/** Objects whose members may be certificates: UCP, WooCommerce's Store API. */
const OBJECTS = ['metadata', 'extensions'] as const;
/** Lists of names with values: WooCommerce REST, Shopify. */
const LISTS = ['meta_data', 'metafields'] as const;
/** `certificate`, `touchstone_certificate`, `svc:certificate` of a feed in any vocabulary. */
const NAMED = /(?:^|[:_.#/])certificate$/i;

/** Whether a member, column or attribute of this name carries a certificate. */
export function isCertificateName(name: string): boolean {
  return NAMED.test(name);
}

/**
 * The certificates that an item carries: itself, a member named `certificate` (whatever stands before `:`, `_` or `.`), a member of
 * `metadata` or `extensions`, an entry of `meta_data` or `metafields`; the same in its `variants`. An object with `proof.jwt` counts, its
 * JSON text, and the proof of a certificate alone.
 */
export function certificatesIn(item: JsonRecord): readonly Carried[] {
  const found: Carried[] = [];
  const add = (place: string, path: Carried['path'], value: unknown) => {
    const document = certificateOf(value);
    if (document !== undefined && found.length < MAX_FOUND) found.push({ place, path, document });
  };
  const search = (part: JsonRecord, prefix: string, path: Carried['path']) => {
    add(prefix === '' ? 'proof' : `${prefix}proof`, path, part);
    for (const [name, value] of Object.entries(part).slice(0, MAX_MEMBERS))
      if (NAMED.test(name)) add(prefix + name, [...path, name], value);
    for (const name of OBJECTS) {
      const members = part[name];
      if (!isRecord(members)) continue;
      add(prefix + name, [...path, name], members);
      for (const [member, value] of Object.entries(members).slice(0, MAX_MEMBERS)) {
        const inner = [...path, name, member];
        add(`${prefix}${name}.${member}`, inner, value);
        if (isRecord(value))
          add(`${prefix}${name}.${member}.certificate`, [...inner, 'certificate'], value.certificate);
      }
    }
    for (const name of LISTS)
      for (const [at, entry] of listed(part[name]).slice(0, MAX_MEMBERS)) {
        const { namespace, key, value } = entry;
        const named = [namespace, key].filter((text) => typeof text === 'string').join('.');
        add(`${prefix}${name}.${named}`, [...path, name, at], value);
      }
  };
  search(item, '', []);
  for (const [at, variant] of listed(item.variants).slice(0, MAX_VARIANTS))
    search(variant, `variants[${at}].`, ['variants', at]);
  return found;
}

/** The objects in a list, with their indexes. */
function listed(value: unknown): [number, JsonRecord][] {
  return Array.isArray(value)
    ? value.flatMap((entry, at): [number, JsonRecord][] => (isRecord(entry) ? [[at, entry]] : []))
    : [];
}

/** Whether a value is a certificate, and which; `undefined`: it is none. */
export function certificateOf(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? undefined : certificateInText(value.trim());
  // credentials of other kinds may have a proof of the same form
  if (!isRecord(value) || !isRecord(value.proof) || 'credentialSubject' in value) return undefined;
  return typeof value.proof.jwt === 'string' ? value : undefined;
}

function certificateInText(text: string): unknown {
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text))
    return isCertificateProof(text) ? { proof: { jwt: text } } : undefined;
  if (!text.startsWith('{')) return undefined;
  try {
    return certificateOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Whether a compact JWS says that it is the proof of a certificate. */
function isCertificateProof(jwt: string): boolean {
  try {
    const header = jwt.slice(0, jwt.indexOf('.')).replaceAll('-', '+').replaceAll('_', '/');
    const { typ } = JSON.parse(atob(header)) as { typ?: unknown };
    return typeof typ === 'string' && typ.endsWith('-certificate+jwt');
  } catch {
    return false;
  }
}
