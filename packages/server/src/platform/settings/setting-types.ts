import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { isConfidential } from '@touchstone/fetch/credential';
import { z } from 'zod';

/*
 * Types of settings. Messages continue a sentence that begins with the setting's name, and never repeat the value, which may
 * contain a secret; config.ts appends values that cannot.
 */

export function integer(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
}

export const flag = z.stringbool({ error: 'must be true or false' });

/** An absolute path. */
export const path = z.string().transform((text) => resolve(text));

/** An absolute path to a file that can be read now. */
export const file = path.superRefine((name, context) => {
  try {
    accessSync(name, constants.R_OK);
  } catch (error) {
    context.addIssue(`cannot be read: ${(error as Error).message}`);
  }
});

export function choice<const T extends string>(choices: readonly [T, ...T[]]) {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(choices, `must be one of ${choices.join(', ')}`));
}

/** Text parsed by `parse`, which throws RangeError for invalid text, without repeating secrets. */
export function parsed<T>(parse: (text: string) => T) {
  return z.string().transform((text, context) => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      context.addIssue(`is wrong: ${error.message}`);
      return z.NEVER;
    }
  });
}

/** Entries with commas between them. */
export function list<T extends z.ZodType<unknown, string>>(entry: T) {
  const split = (text: string) => text.split(',').map((part) => part.trim());
  return z
    .string()
    .transform((text) => split(text).filter((part) => part !== ''))
    .pipe(z.array(entry));
}

export function url(...schemes: readonly string[]) {
  const error = `must be an absolute URL beginning with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return z.url({ protocol: new RegExp(`^(${schemes.join('|')})$`), error });
}

/** One database server: libpq takes several hosts, our driver would look them up as one name. */
export const databaseUrl = z
  .string()
  .superRefine((text, context) => {
    const [, authority = '', query = ''] = /^\w+:\/\/([^/?#]*)[^?#]*\??([^#]*)/.exec(text) ?? [];
    const hosts = [
      authority.slice(authority.lastIndexOf('@') + 1),
      ...new URLSearchParams(query).getAll('host'),
    ];
    if (hosts.some((host) => host.includes(',')))
      context.addIssue({
        code: 'custom',
        message:
          'must name one host: put HAProxy or PgBouncer, which finds the primary, before several servers',
        continue: false,
      });
  })
  .pipe(url('postgres', 'postgresql'));

/** Why an address that contains or receives a secret cannot be used; `undefined`: it can. */
export function secretAddressFault(address: URL): string | undefined {
  if (address.username + address.password !== '')
    return 'must have no user name or password: requests cannot carry them';
  return isConfidential(address) ? undefined : 'must begin with https://, or be on this machine';
}

/**
 * The address of a time-stamp authority. Most public ones have no TLS, and need none: a stamp is signed, and the request has
 * only a digest. An address with a query may contain a secret.
 */
export const timeStampUrl = url('http', 'https').superRefine((text, context) => {
  const address = new URL(text);
  const mayBeSecret = `${address.search}${address.username}${address.password}` !== '';
  const fault = mayBeSecret ? secretAddressFault(address) : undefined;
  if (fault !== undefined) context.addIssue(fault);
});

/** An address to which paths are added: without a slash at the end. */
export const baseUrl = url('http', 'https').transform((text, context) => {
  const { origin, pathname, search, hash, username, password } = new URL(text);
  if (search + hash + username + password === '') return origin + pathname.replace(/\/+$/, '');
  context.addIssue('must have no query, fragment, user name or password');
  return z.NEVER;
});

/** Bytes, as JSON, of an address that every proof contains, so that the largest proof stays under the 8 KB that verifiers accept. */
const MAX_SIGNED_ADDRESS = 100;

/** An address that is signed. */
export function signed<T extends z.ZodType<string, string>>(address: T) {
  const error = `must have at most ${MAX_SIGNED_ADDRESS} characters: every proof contains it`;
  return address.refine((text) => Buffer.byteLength(JSON.stringify(text)) - 2 <= MAX_SIGNED_ADDRESS, error);
}

/** An address, or a network in CIDR notation. */
export const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'must name addresses or networks such as 10.0.0.0/8',
});

const S3_PLACE = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>.*))?$/;

export interface Folder {
  readonly folder: string;
}
export interface Bucket {
  readonly bucket: string;
  /** Before every name; empty, or with a slash at its end. */
  readonly prefix: string;
}

/** `s3://bucket/prefix`, or a folder. */
export const blobPlace = z.string().transform((text, context): Folder | Bucket => {
  if (!/^[a-z0-9]+:\/\//i.test(text)) return { folder: resolve(text) };
  const { bucket, prefix = '' } = S3_PLACE.exec(text)?.groups ?? {};
  if (bucket !== undefined) return { bucket, prefix: prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/` };
  context.addIssue('must be a folder or s3://bucket/prefix');
  return z.NEVER;
});
