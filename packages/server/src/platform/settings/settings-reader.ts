import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { StartError } from '../lifecycle/start-error.ts';

/** Names without prefix are looked up with it: `PORT` is `TOUCHSTONE_PORT`. */
const SETTING_PREFIX = 'TOUCHSTONE_';

export type Settings = Readonly<Record<string, string | undefined>>;

/** The start is refused; the message lists every setting that is wrong, and why. */
export class ConfigError extends StartError {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The settings cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** Reads settings one by one, collecting faults instead of throwing; an empty value counts as not given. */
export class SettingsReader {
  readonly #settings: Settings;
  readonly #faults: string[] = [];
  readonly #asked = new Set<string>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  text(name: string): string | undefined {
    this.#asked.add(name);
    const value = this.#settings[SETTING_PREFIX + name]?.trim();
    return value === '' ? undefined : value;
  }

  /** A setting that is not ours to name (`AWS_…`): taken as it is, without our prefix. */
  foreign(name: string): string | undefined {
    const value = this.#settings[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** An absolute path. */
  path(name: string): string | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : resolve(value);
  }

  /** An absolute path to a file that can be read now. */
  file(name: string): string | undefined {
    const path = this.path(name);
    if (path === undefined) return undefined;
    try {
      accessSync(path, constants.R_OK);
      return path;
    } catch (error) {
      this.fault(name, `cannot be read: ${(error as Error).message}`, { secret: true });
      return undefined;
    }
  }

  integer(name: string, bounds: { fallback: number; min: number; max: number }): number {
    const value = this.text(name);
    if (value === undefined) return bounds.fallback;
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= bounds.min && number <= bounds.max) return number;
    this.fault(name, `must be a whole number from ${bounds.min} to ${bounds.max}`);
    return bounds.fallback;
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return fallback;
    if (['true', '1', 'yes', 'on'].includes(value)) return true;
    if (!['false', '0', 'no', 'off'].includes(value)) this.fault(name, 'must be true or false');
    return false;
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const found = choices.find((choice) => choice === value.toLowerCase());
    if (found === undefined) this.fault(name, `must be one of ${choices.join(', ')}`);
    return found ?? fallback;
  }

  /** Comma-separated; `parse` throws RangeError for an entry that it cannot read. */
  list<T>(name: string, parse: (text: string) => T): T[] {
    const entries = (this.text(name) ?? '').split(',').map((entry) => entry.trim());
    return entries
      .filter((entry) => entry !== '')
      .flatMap((entry) => {
        const value = this.#attempt(name, () => parse(entry));
        return value === undefined ? [] : [value];
      });
  }

  parsed<T>(name: string, parse: (text: string) => T, form: string): T | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : this.#attempt(name, () => parse(value), `the form is ${form}`);
  }

  url(name: string, protocols: readonly string[] = ['http:', 'https:']): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    const schemes = protocols.map((protocol) => `${protocol}//`).join(' or ');
    // a database URL holds a password
    this.fault(name, `must be an absolute URL beginning with ${schemes}`, { secret: true });
    return undefined;
  }

  /** An address to which paths are added: without a slash at the end. */
  baseUrl(name: string): string | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : this.#attempt(name, () => this.asBaseUrl(value));
  }

  asBaseUrl(text: string): string {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !['http:', 'https:'].includes(url.protocol)) {
      throw new RangeError(`"${text}" is no absolute http or https URL`);
    }
    if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
      // not repeated: it may hold a password
      throw new RangeError(`the address of ${url.host} must have no query, fragment, user name or password`);
    }
    return url.origin + url.pathname.replace(/\/+$/, '');
  }

  fault(name: string, message: string, options: { secret?: boolean } = {}): void {
    const given = options.secret === true ? '' : ` (given: "${(this.text(name) ?? '').slice(0, 100)}")`;
    this.#faults.push(`${SETTING_PREFIX}${name} ${message}${given}`);
  }

  /** Full names of settings with our prefix that nobody asked for: typing mistakes, most likely. */
  unknown(elsewhere: readonly string[]): string[] {
    return Object.keys(this.#settings)
      .filter((name) => name.startsWith(SETTING_PREFIX))
      .map((name) => name.slice(SETTING_PREFIX.length))
      .filter((name) => !this.#asked.has(name) && !elsewhere.includes(name))
      .map((name) => SETTING_PREFIX + name)
      .toSorted();
  }

  /** @throws ConfigError when there was any fault */
  finish(): void {
    if (this.#faults.length > 0) throw new ConfigError(this.#faults);
  }

  #attempt<T>(name: string, parse: () => T, hint?: string): T | undefined {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#faults.push(`${SETTING_PREFIX}${name}: ${error.message}${hint === undefined ? '' : `; ${hint}`}`);
      return undefined;
    }
  }
}
