import type { Command } from 'commander';
import { EXIT, type ExitCode } from './cli-error.ts';

/** The exit codes of one command and their meaning; the command ends with no others. */
export type Exits = Readonly<Partial<Record<ExitCode, string>>>;

const RESERVED =
  'verified, but not to be relied on as it stands: another page than requested (--follow-host), the page states something else (--ignore-page-facts), nobody has shown who runs the host (--accept-unproven)';
const VERDICT = {
  0: 'verified, and nothing speaks against it',
  1: 'failed: failed, checks_failed, canonical_mismatch, invalid_certificate; also a certificate that has been withdrawn',
  2: 'unverified: unverified, no_certificate, certificate_expired, product_deleted, or verified but not published now (suspended)',
  3: `undecided: ${RESERVED}; page_fetch_failed, password_protected, no issuer is trusted, the service or the network is not reachable`,
} as const satisfies Exits;

const UNKNOWN =
  'the service or the network is not reachable, or the service does not know the named item or the key';
const LISTED = { 0: 'the list was printed', 3: UNKNOWN } as const satisfies Exits;
const SHOWN = { 0: 'printed', 3: UNKNOWN } as const satisfies Exits;
const MADE = { 0: 'created', 3: 'not created, or the outcome is unknown' } as const satisfies Exits;
const ACTED = {
  0: 'done',
  2: 'still in progress, or not confirmed',
  3: 'not done, or the outcome is unknown',
} as const satisfies Exits;
const CHANGED = {
  0: 'changed',
  3: 'not changed, or the outcome is unknown',
} as const satisfies Exits;

/** By the words of the command. `64`, wrong usage, is common to all. */
const COMMAND_EXITS: Readonly<Record<string, Exits>> = {
  serve: {
    0: 'stopped on request, after finishing everything in progress',
    3: 'cannot start, with the reason',
  },
  'database migrate': { 0: 'the schema is up to date', 3: 'it is not, with the reason' },
  health: { 0: 'it is', 1: 'it is not', 3: 'the service does not answer' },
  demo: {
    0: 'every page has the expected verdict',
    1: 'a page has another verdict',
    3: 'cannot start, with the reason',
  },
  check: {
    ...VERDICT,
    3: `undecided: ${RESERVED}; page_fetch_failed, password_protected; the service contradicts itself, is not reachable or its rate limit is reached`,
  },
  batch: {
    0: 'every page is verified, and nothing speaks against it',
    1: 'at least one page failed',
    2: 'no page failed, but at least one is unverified',
    3: `no page failed, but one is undecided, or ${RESERVED}; or the service contradicts itself about it; or not all pages are done`,
  },
  verify: {
    0: `${VERDICT[0]}; with --profile: trusted`,
    1: `${VERDICT[1]}; with --profile: untrusted`,
    2: VERDICT[2],
    3: `${VERDICT[3]}; a file, if nobody says where it was seen (--page-url); with --withdrawal required: not known whether it has been withdrawn; with --log: what the certificate says about its log is not true; with --log-required: not known to be logged and witnessed; with --profile: undetermined, or suspended`,
  },
  'evidence list': LISTED,
  'evidence download': { 0: 'the file is written', 3: UNKNOWN },
  'evidence delete': CHANGED,
  'receipt verify': {
    0: 'a trusted service signed the receipt, and it is about everything that was given',
    1: 'it is not, with every reason',
    3: 'no issuer is trusted, or its keys cannot be read',
  },
  'status-lists pull': {
    0: 'every list is in the folder',
    1: 'the issuer serves a list that cannot be used, with the reason',
    3: 'a list, or the keys of the lists, cannot be reached',
  },
  'status-lists merge': {
    0: 'what the lists call withdrawn is withdrawn',
    3: 'a list was refused, with the reason, or the outcome is unknown',
  },
  'feed verify': {
    0: 'every item has a verified certificate, and no field differs from what was signed',
    1: 'an item failed, or differs from what was signed; or a row is no item',
    2: 'no item failed, but at least one is unverified',
    3: 'no item failed, but one is not to be relied on as it stands, such as one that is offered by another host; or no issuer is trusted, or the feed or the keys cannot be read',
  },
  'feed certify': {
    0: 'every item has its certificate',
    1: 'an item differs from what was signed, or a row is no item: these have none',
    2: 'no item differs, but at least one has no current certificate',
    3: 'nothing was written: the feed cannot be read to its end, the service or the keys are not reachable, or the command was stopped',
  },
  read: { 0: 'the page was read' },
  inspect: {
    0: 'the image has a valid manifest',
    1: 'its manifest is not valid',
    2: 'it has no manifest',
    3: 'undecided: the image cannot be fetched or opened',
  },
  import: {
    0: 'every product was imported',
    1: 'a product was not imported (the rows are listed), or there is none; or --prune would have deleted too many without confirmation',
    3: 'the service or the network is not reachable, or the command was stopped',
  },
  certificates: {
    0: 'every certificate is issued',
    1: 'some could not be issued, with the reason; they are retried automatically',
    2: 'some are still to be issued',
    3: 'the service or the network is not reachable, or the service does not know the store',
  },
  'certificates find': {
    0: 'the certificate was printed',
    2: 'the service serves no certificate for the page',
    3: 'the service or the network is not reachable',
  },
  'certificates history': {
    0: 'the stored proofs were listed',
    3: 'the service or the network is not reachable, or the service does not know the product',
  },
  'certificates pull': {
    0: 'the folder is up to date',
    1: 'up to date, except for products whose certificate could not be issued or has expired; they are retried automatically',
    3: 'the service or the network is not reachable, or the command was stopped: run it again to continue',
  },
  embed: {
    0: 'every page of a product carries its certificate',
    1: 'with --check: a page is not up to date; or a page was left unchanged, with the reason',
    3: 'the service or the network is not reachable, or the command was stopped: run it again to continue',
  },
  images: {
    0: 'every image was scanned',
    1: 'some failed, with the reasons',
    2: 'some are still waiting',
    3: 'the service or the network is not reachable, or the service does not know the store',
  },
  'images pull': {
    0: 'every signed file is in the folder',
    1: 'some could not be downloaded, with the reasons',
    3: 'the service or the network is not reachable, or the command was stopped',
  },
  status: {
    0: 'nothing to do; or the stores were listed',
    1: 'something failed, with the next step',
    2: 'something is to be done, or in progress',
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
  'domains list': { 0: 'every domain is proven, its challenge in place', 2: 'some are not', 3: UNKNOWN },
  'domains history': LISTED,
  'domains add': MADE,
  'domains verify': { 0: 'it is proven now', 1: 'it is not, with the reason', 3: UNKNOWN },
  'domains remove': CHANGED,
  'products list': LISTED,
  'products show': SHOWN,
  'products hide': ACTED,
  'products unhide': ACTED,
  'products delete': ACTED,
  'products undo': ACTED,
  'products withdraw': ACTED,
  withdrawals: LISTED,
  'connect shopify': {
    0: 'everything is written; with --disconnect: the store is disconnected',
    2: 'not everything is written yet, or something failed, with the reason',
    3: UNKNOWN,
  },
  changes: {
    0: 'every change is applied',
    2: 'some are still being applied',
    3: 'the service or the network is not reachable, or the service does not know the key',
  },
  'keys create': { 0: 'the key was created', 3: MADE[3] },
  'keys list': { 0: 'the keys were listed', 3: 'the keys were not listed' },
  'keys revoke': { 0: 'the key is revoked', 3: 'the key was not revoked, or the outcome is unknown' },
  'keys signing list': LISTED,
  'keys signing rotate': {
    0: 'the next key signs',
    3: 'not rotated, with the reason, or the outcome is unknown',
  },
  'keys signing revoke': {
    0: 'the key is revoked',
    2: 'not confirmed',
    3: 'the key was not revoked, or the outcome is unknown',
  },
  sweeps: {
    0: 'every page is verified; with --copies: there are none',
    1: 'a page is not, with the next step; with --copies: there are some',
    2: 'all checked pages are, but some are not checked yet',
    3: 'the service or the network is not reachable, or the service does not know the store',
  },
  lookalikes: {
    0: 'no name resembles a host',
    2: 'at least one does',
    3: UNKNOWN,
  },
  'status-lists': SHOWN,
  publish: {
    0: 'the copies are current',
    1: 'some cannot be written or read, and the service tries again',
    3: 'the service or the network is not reachable, or the service does not know the key',
  },
  'log audit': {
    0: 'nothing is wrong; what was not checked is listed',
    1: 'the log contradicts itself, its checkpoint or a given certificate',
    3: 'the log cannot be read, nobody says whose key counts, or the quorum of the policy has not cosigned',
  },
  'log monitor': {
    0: 'everything new was read and verified, whether or not it was for the domain',
    1: 'the log contradicts its checkpoint or an earlier one; both checkpoints of a fork are kept',
    3: 'the log cannot be read, an older copy was found, or the quorum of the policy has not cosigned',
  },
  'log proof': {
    0: 'the certificate is logged; if the policy has a quorum, witnessed by it',
    1: 'the proof is wrong',
    2: 'not logged, or not witnessed by the quorum',
    3: 'the service is not reachable, or the policy does not name its log',
  },
  'witness run': { 0: 'stopped on request', 3: 'cannot start, with the reason' },
  'witness key': { 0: 'the key was printed', 3: 'the key cannot be read or made' },
  'witness add-log': { 0: 'the logs are observed', 3: 'a log cannot be read, or the folder not written' },
  'webhooks create': { 0: 'the webhook was created', 3: MADE[3] },
  'webhooks list': {
    0: 'every webhook is active and accepts its deliveries',
    2: 'at least one is paused or failing',
    3: 'the service or the network is not reachable, or the service does not know the key',
  },
  'webhooks change': CHANGED,
  'webhooks rotate': {
    0: 'the webhook has a new secret',
    3: 'the secret was not changed, or the outcome is unknown',
  },
  'webhooks delete': { 0: 'deleted', 3: 'not deleted, or the outcome is unknown' },
  'webhooks test': {
    0: 'the endpoint accepted the event',
    1: 'it did not accept it, with the reason',
    3: 'the service or the network is not reachable, or nothing was attempted within 30 s',
  },
  'webhooks deliveries': {
    0: 'the deliveries were listed, and none failed',
    1: 'at least one was given up, with the reason',
    3: 'the service or the network is not reachable, or the service does not know the webhook',
  },
  'webhooks replay': { 0: 'the event is queued for delivery', 3: ACTED[3] },
  doctor: { 0: 'there is no fault', 1: 'there is a fault' },
  'trust update': {
    0: 'the list is in use; with --check: it already was',
    1: 'with --check: another list is in use',
    3: 'the list could not be written, or the settings cannot be used',
  },
  'database distribute': {
    0: 'every table is in its place; with --dry-run: the statements were printed',
    3: 'not done, or not to its end, with the reason; it may be run again',
  },
  mcp: { 0: 'ended by the agent, or stopped on request' },
  completion: { 0: 'the script was printed' },
};

const USAGE = 'wrong usage; nothing was done';

/** The exit codes of a command, in ascending order; `null` for a group of commands. */
export function exitsOf(words: readonly string[]): readonly (readonly [ExitCode, string])[] | null {
  const own = COMMAND_EXITS[words.join(' ')];
  if (own === undefined) return null;
  const rows = Object.values(EXIT).flatMap((code) =>
    own[code] === undefined ? [] : [[code, own[code]] as const],
  );
  return [...rows, [EXIT.usage, USAGE] as const];
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
