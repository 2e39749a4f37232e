import type { Command } from 'commander';
import { EXIT, type ExitCode } from './cli-error.ts';

/** The exit codes of one command and their meaning; the command ends with no others. */
export type Exits = Readonly<Partial<Record<ExitCode, string>>>;

const VERDICT = {
  0: 'verified',
  1: 'failed: failed, checks_failed, canonical_mismatch, invalid_certificate',
  2: 'unverified: unverified, no_certificate, certificate_expired, product_deleted',
  3: 'could not tell: verified, but on another host than asked for (--follow-host), page_fetch_failed, password_protected, nobody is trusted, the service or the network is not reachable',
} as const satisfies Exits;

const UNKNOWN = 'the service or the network is not reachable, or it does not know what was named, or the key';
const LISTED = { 0: 'they were listed', 3: UNKNOWN } as const satisfies Exits;
const SHOWN = { 0: 'it was shown', 3: UNKNOWN } as const satisfies Exits;
const MADE = { 0: 'it was made', 3: 'it was not made, or the outcome is unknown' } as const satisfies Exits;
const ACTED = {
  0: 'it was done',
  2: 'it goes on beyond this call, or was answered with no',
  3: 'it was not done, or the outcome is unknown',
} as const satisfies Exits;
const CHANGED = {
  0: 'it was changed',
  3: 'it was not changed, or the outcome is unknown',
} as const satisfies Exits;

/** By the words of the command. `64`, wrong usage, is common to all. */
const COMMAND_EXITS: Readonly<Record<string, Exits>> = {
  serve: {
    0: 'stopped on request, after everything in progress had finished',
    3: 'cannot start, and says why',
  },
  demo: {
    0: 'every page ended in the verdict that it must',
    1: 'a page did not',
    3: 'cannot start, and says why',
  },
  check: {
    ...VERDICT,
    3: 'could not tell: verified, but on another host than asked for (--follow-host), page_fetch_failed, password_protected, the service is not reachable or asks to wait',
  },
  batch: {
    0: 'every page is verified',
    1: 'a page failed',
    2: 'no page failed, and one is unverified',
    3: 'no page failed, and one could not be told, or is verified on another host than asked for (--follow-host); or not all pages are done',
  },
  verify: {
    0: `${VERDICT[0]}; with --profile: trusted`,
    1: `${VERDICT[1]}; untrusted`,
    2: VERDICT[2],
    3: `${VERDICT[3]}; undetermined`,
  },
  read: { 0: 'the page was read' },
  inspect: {
    0: 'the image carries a manifest, and it holds',
    1: 'it carries one that does not hold',
    2: 'it carries none',
    3: 'could not tell: the image cannot be fetched or opened',
  },
  import: {
    0: 'every product is in',
    1: 'a product is not in, or there is none, with the rows listed; or --prune would have deleted too many unasked',
    3: 'the service or the network is not reachable, or it was stopped',
  },
  certificates: {
    0: 'every certificate is at hand',
    1: 'some could not be made, with the reason; they are tried again',
    2: 'some are still to be made',
    3: 'the service or the network is not reachable, or it does not know the store',
  },
  'certificates find': {
    0: 'it was printed',
    2: 'the service serves none for that page',
    3: 'the service or the network is not reachable',
  },
  'certificates history': {
    0: 'the proofs that are kept were listed',
    3: 'the service or the network is not reachable, or it does not know the product',
  },
  'certificates pull': {
    0: 'the folder is as the service has it',
    1: 'it is, but for products whose certificate could not be made, or has ended; they are tried again',
    3: 'the service or the network is not reachable, or it was stopped: run it again to go on',
  },
  embed: {
    0: 'every page of a product carries its certificate',
    1: 'with --check: a page is not up to date; or a page was left as it is, with the reason',
    3: 'the service or the network is not reachable, or it was stopped: run it again to go on',
  },
  images: {
    0: 'every image was scanned',
    1: 'some failed, with the reasons',
    2: 'some still wait',
    3: 'the service or the network is not reachable, or it does not know the store',
  },
  'images pull': {
    0: 'every signed file is there',
    1: 'some could not be brought, with the reasons',
    3: 'the service or the network is not reachable, or it was stopped',
  },
  status: {
    0: 'all is well; or the stores were listed',
    1: 'something failed, and it says what to do',
    2: 'something is to be done, or under way',
    3: UNKNOWN,
  },
  'merchants list': LISTED,
  'merchants show': SHOWN,
  'merchants create': MADE,
  'merchants update': CHANGED,
  'stores list': LISTED,
  'stores show': SHOWN,
  'stores create': MADE,
  'stores update': CHANGED,
  'stores delete': CHANGED,
  'domains list': { 0: 'every domain is proven', 2: 'some are not', 3: UNKNOWN },
  'domains add': MADE,
  'domains verify': { 0: 'it is proven', 1: 'it is not, and why', 3: UNKNOWN },
  'domains remove': CHANGED,
  'products list': LISTED,
  'products show': SHOWN,
  'products hide': ACTED,
  'products unhide': ACTED,
  'products delete': ACTED,
  'products undo': ACTED,
  'connect shopify': {
    0: 'everything is written; with --disconnect: it is connected no more',
    2: 'not everything is written yet, or something failed, with the reason',
    3: UNKNOWN,
  },
  changes: {
    0: 'products have followed every change',
    2: 'they still follow some',
    3: 'the service or the network is not reachable, or it does not know the key',
  },
  'keys create': { 0: 'the key was made', 3: MADE[3] },
  'keys list': { 0: 'the keys were listed', 3: 'they were not' },
  'keys revoke': { 0: 'the key is revoked', 3: 'it was not revoked, or the outcome is unknown' },
  sweeps: {
    0: 'every page is verified; with --copies: there is none',
    1: 'a page is not, with what to do; with --copies: there are some',
    2: 'those that were checked are, and some were not',
    3: 'the service or the network is not reachable, or it does not know the store',
  },
  'webhooks create': { 0: 'the webhook was made', 3: MADE[3] },
  'webhooks list': {
    0: 'every webhook is active and takes what it is sent',
    2: 'one is paused, or fails',
    3: 'the service or the network is not reachable, or it does not know the key',
  },
  'webhooks change': CHANGED,
  'webhooks rotate': { 0: 'it has another secret', 3: 'it keeps its secret, or the outcome is unknown' },
  'webhooks delete': { 0: 'it was deleted', 3: 'it was not deleted, or the outcome is unknown' },
  'webhooks test': {
    0: 'the endpoint took the event',
    1: 'it did not, with the reason',
    3: 'the service or the network is not reachable, or nothing was attempted within 30 s',
  },
  'webhooks deliveries': {
    0: 'the deliveries were listed, and none failed',
    1: 'one was given up, with the reason',
    3: 'the service or the network is not reachable, or it does not know the webhook',
  },
  'webhooks replay': { 0: 'it is about to be delivered again', 3: ACTED[3] },
  'trust update': {
    0: 'the list is in force; with --check: it is the one in force already',
    1: 'with --check: the list in force is another',
    3: 'the list could not be written, or the settings cannot be used',
  },
  mcp: { 0: 'the agent ended it, or it was asked to stop' },
  completion: { 0: 'the script was printed' },
};

const USAGE = 'wrong usage; nothing was done';

/** The exit codes of a command, in ascending order; `null` for a group of commands. */
export function exitsOf(words: readonly string[]): readonly (readonly [ExitCode, string])[] | null {
  const own = COMMAND_EXITS[words.join(' ')];
  if (own === undefined) return null;
  const told = Object.values(EXIT).flatMap((code) =>
    own[code] === undefined ? [] : [[code, own[code]] as const],
  );
  return [...told, [EXIT.usage, USAGE] as const];
}

/** The exit codes, for the help of a command. */
export function exitsText(words: readonly string[]): string {
  const exits = exitsOf(words);
  if (exits === null) return '';
  return `\nExit codes:\n${exits.map(([code, meaning]) => `  ${String(code).padStart(2)}  ${meaning}\n`).join('')}`;
}

/** A command and all its subcommands, in the order of the help. */
export function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** The words of a command, without the program's name. */
export function wordsOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}
