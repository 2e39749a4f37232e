import { usage } from '../cli-error.ts';
import { baseAddress } from '../settings.ts';

/** A file with the keys of these issuers, and of no other. */
interface KeyFile {
  readonly issuers: readonly string[];
  readonly file: string;
}

/**
 * Reads `--jwks`: `<file>` is that of the only issuer; `<issuer>=<file>` names the issuer, `<issuer>,<issuer>=<file>` several that share
 * the keys. Only text that begins with an http or https address names issuers, so that a file may have any name; addresses and names of
 * files may contain `=` and `,`.
 *
 * @param issuers - the trusted issuers, each once
 * @throws CliError (usage) if it is not clear whose keys a file contains
 */
export function keyFilesOf(given: readonly string[], issuers: readonly string[]): KeyFile[] {
  // without an issuer nothing can be verified, which is reported instead
  if (issuers.length === 0) return [];
  const files = given.map((text) => (/^https?:\/\//i.test(text) ? namedFile(text, issuers) : text));
  const unnamed = files.find((file) => typeof file === 'string');
  if (unnamed !== undefined && (issuers.length > 1 || files.length > 1)) {
    throw usage(
      `It is not clear whose keys ${unnamed} contains: a key is only valid for its issuer.`,
      `Name the issuer: --jwks ${issuers[0]}=${unnamed}; or all that share these keys: --jwks ${issuers.join(',')}=${unnamed}`,
    );
  }
  const named = files.map((file) => (typeof file === 'string' ? { issuers, file } : file));
  const all = named.flatMap((one) => one.issuers);
  const twice = all.find((issuer, index) => all.indexOf(issuer) !== index);
  if (twice === undefined) return named;
  throw usage(`--jwks gives the keys of ${twice} twice.`, 'Put all keys of an issuer into one file.');
}

function namedFile(text: string, issuers: readonly string[]): KeyFile {
  for (let end = text.indexOf('='); end !== -1; end = text.indexOf('=', end + 1)) {
    const named = namedIssuers(text.slice(0, end), issuers);
    if (named !== null) return { issuers: named, file: text.slice(end + 1) };
  }
  throw usage(
    `--jwks ${text} names no trusted issuer (${issuers.join(', ')}) and its file.`,
    'Write --jwks <issuer>=<file>, with an issuer that --issuer or TOUCHSTONE_ISSUER names.',
  );
}

/** The issuers of a list with commas; `null` if one of them is not trusted. */
function namedIssuers(list: string, issuers: readonly string[]): readonly string[] | null {
  const named: string[] = [];
  let text = '';
  for (const part of list.split(',')) {
    text = text === '' ? part : `${text},${part}`;
    const issuer = issuers.find((one) => one === addressIn(text));
    // an address may contain the comma
    if (issuer === undefined) continue;
    named.push(issuer);
    text = '';
  }
  return text === '' && named.length > 0 ? named : null;
}

function addressIn(text: string): string | null {
  try {
    return baseAddress(text, '--jwks');
  } catch {
    return null;
  }
}
