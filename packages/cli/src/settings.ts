import { Credential, isConfidential } from '@touchstone/fetch/credential';
import { usage } from './cli-error.ts';
import type { Io } from './io.ts';

/** Global options. */
export interface GlobalOptions {
  readonly service?: string;
  readonly json?: boolean;
}

export const DEFAULT_SERVICE = 'http://127.0.0.1:8787';

/** Address of the service: option, else TOUCHSTONE_SERVICE, else this machine; without a trailing slash. */
export function serviceUrl(options: GlobalOptions, env: Io['env']): string {
  const named = options.service ?? nonEmpty(env.TOUCHSTONE_SERVICE) ?? DEFAULT_SERVICE;
  return baseAddress(named, 'The service address (--service, TOUCHSTONE_SERVICE)');
}

/**
 * The API key, from the option or TOUCHSTONE_KEY, for this service only.
 *
 * @throws CliError (usage) without a key, or if others could read it on its way
 */
export function apiCredential(
  options: { readonly key?: string },
  env: Io['env'],
  service: string,
): Credential {
  const key = options.key ?? nonEmpty(env.TOUCHSTONE_KEY);
  if (key === undefined) {
    throw usage(
      'This command requires an API key.',
      'Set TOUCHSTONE_KEY (or --key): a merchant key, or the operator key that the first start printed.',
      'credentials_missing',
    );
  }
  // other characters are invalid in a header, and must not be echoed
  if (!/^[\x21-\x7e]+$/.test(key)) throw usage('The API key contains invalid characters.');
  if (!isConfidential(new URL(service))) {
    throw usage(
      `The API key was not sent: anyone on the way to ${service} could read it.`,
      'Give the address of the service with https://; http is for a service on this machine (127.0.0.1, localhost).',
    );
  }
  return new Credential(service, { authorization: `Bearer ${key}` });
}

export const WITH_SCHEME = 'Write it with https:// in front.';

/** Endings of file names, which are only by chance those of hosts. */
const FILE_ENDING =
  /\.(avif|csv|gif|gz|heic|html?|jpe?g|json|jsonl|jwt|mhtml|ndjson|pem|png|tsv|txt|webp|xml|zip)$/i;

/** Whether a name is a host, or begins with one: probably an address without its scheme. */
export function looksLikeAddress(name: string): boolean {
  const [first = ''] = name.split('/', 1);
  const isHost = /^([a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}|localhost)(:\d+)?$/i.test(first);
  return isHost && (first !== name || !FILE_ENDING.test(first));
}

/** An absolute http or https address without query, fragment and trailing slash. */
export function baseAddress(text: string, what: string): string {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw usage(`${what} must be an absolute http or https address, not “${text}”.`, WITH_SCHEME);
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw usage(`${what} must not contain a query, fragment, user name or password.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** A page address given by the user. */
export function pageAddress(text: string, what: string): string {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw usage(`${what} must be an absolute http or https address, not “${text}”.`, WITH_SCHEME);
  }
  return url.href;
}

/** An integer option within bounds. */
export function wholeNumber(text: string, what: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw usage(`${what} must be a whole number from ${min} to ${max}, not “${text}”.`);
}

export function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}
