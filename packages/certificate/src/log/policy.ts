import { areEqualBytes } from './bytes.ts';
import { type EndedLog, parseEndedLog } from './ended-log.ts';
import { COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44, parseVkey, type Vkey } from './vkey.ts';

/** The largest policy file, in bytes. */
const MAX_POLICY_BYTES = 65_536;

/** A log whose checkpoints count. The name of its key is its origin. */
export interface PolicyLog {
  readonly key: Vkey;
  readonly url?: string;
}

/** A witness whose cosignatures count. */
export interface PolicyWitness {
  /** Its name in this policy. */
  readonly name: string;
  readonly key: Vkey;
  readonly url?: string;
}

/** Which witnesses must have cosigned: the named one, or so many of the members. */
export type Quorum =
  | { readonly witness: string }
  | { readonly threshold: number; readonly members: readonly Quorum[] };

/** Which logs and witnesses count, and how many witnesses are enough (tlog-policy). */
export interface Policy {
  readonly logs: readonly PolicyLog[];
  /** Logs that ended, by comments that begin with `#ended`; absent: none. They count as ended if `logs` has them, too. */
  readonly ended?: readonly EndedLog[];
  readonly witnesses: readonly PolicyWitness[];
  /** Absent: none is required (`quorum none`). */
  readonly quorum?: Quorum;
}

/** Why a text is no policy, and in which line, from 1. `line` is absent if it is about the whole. */
export interface PolicyFault {
  readonly fault: PolicyFaultCode;
  readonly line?: number;
}

/** Faults of a policy; a closed list. */
export type PolicyFaultCode =
  | 'policy_too_large'
  | 'policy_character_forbidden'
  | 'policy_line_malformed'
  | 'policy_key_malformed'
  | 'policy_key_type_wrong'
  | 'policy_key_repeated'
  | 'policy_name_repeated'
  | 'policy_name_unknown'
  | 'policy_member_repeated'
  | 'policy_threshold_wrong'
  | 'policy_quorum_repeated'
  | 'policy_quorum_absent';

/** The quorum that no witness is needed for. */
const NONE = 'none';

/**
 * Parses a policy file (tlog-policy).
 *
 * @param text - bytes are taken as UTF-8 where they are; a name that is not is kept, by one character for each byte
 * @returns the policy, or the first fault
 * @example
 * ```ts
 * import { parsePolicy } from '@touchstone/certificate/log';
 *
 * await parsePolicy('quorum none\n'); // { logs: [], witnesses: [] }
 * await parsePolicy('quorum w1\n'); // { fault: 'policy_name_unknown', line: 1 }
 * ```
 */
export async function parsePolicy(text: string | Uint8Array): Promise<Policy | PolicyFault> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  if (bytes.length > MAX_POLICY_BYTES) return { fault: 'policy_too_large' };
  const reading: Reading = { logs: [], ended: [], witnesses: [], named: new Map(), members: new Set() };
  let start = 0;
  for (let line = 1; start < bytes.length; line++) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    const fault = await readLine(bytes.subarray(start, end), reading);
    if (fault !== null) return { fault, line };
    start = end + 1;
  }
  const { logs, ended, witnesses, quorum } = reading;
  if (quorum === undefined) return { fault: 'policy_quorum_absent' };
  return { logs, ...(ended.length > 0 && { ended }), witnesses, ...(quorum !== NONE && { quorum }) };
}

/**
 * Whether the quorum of a policy is met.
 *
 * @param names - of the witnesses that have cosigned, as in the policy
 * @example
 * ```ts
 * import { quorumMet } from '@touchstone/certificate/log';
 *
 * quorumMet({ quorum: { witness: 'w1' } }, new Set(['w1'])); // true
 * ```
 */
export function quorumMet({ quorum }: Pick<Policy, 'quorum'>, names: ReadonlySet<string>): boolean {
  const isMet = (one: Quorum): boolean =>
    'witness' in one ? names.has(one.witness) : one.members.filter(isMet).length >= one.threshold;
  return quorum === undefined || isMet(quorum);
}

/** What is read of a policy so far. */
interface Reading {
  readonly logs: PolicyLog[];
  readonly ended: EndedLog[];
  readonly witnesses: PolicyWitness[];
  /** Witnesses and groups, by name. */
  readonly named: Map<string, Quorum>;
  /** Names that are members of a group. */
  readonly members: Set<string>;
  quorum?: Quorum | typeof NONE;
}

async function readLine(bytes: Uint8Array, reading: Reading): Promise<PolicyFaultCode | null> {
  if (bytes.some((byte) => (byte < 0x20 && byte !== 0x09) || byte === 0x7f))
    return 'policy_character_forbidden';
  const [word, ...items] = textOf(bytes)
    .split(/[ \t]+/)
    .filter(Boolean);
  if (word === undefined) return null;
  if (word.startsWith('#')) {
    const ended = await parseEndedLog([word, ...items]);
    if (ended !== null) reading.ended.push(ended);
    return null;
  }
  if (word === 'log') return readLog(items, reading);
  if (word === 'witness') return readWitness(items, reading);
  if (word === 'group') return readGroup(items, reading);
  return word === 'quorum' ? readQuorum(items, reading) : 'policy_line_malformed';
}

async function readLog(
  [vkey, url, ...rest]: readonly string[],
  { logs }: Reading,
): Promise<PolicyFaultCode | null> {
  if (vkey === undefined || rest.length > 0) return 'policy_line_malformed';
  const key = await parseVkey(vkey);
  if (key === null) return 'policy_key_malformed';
  // a cosignature by Ed25519 is about the time of a witness
  if (key.type === COSIGNATURE_ED25519) return 'policy_key_type_wrong';
  if (hasKey(logs, key)) return 'policy_key_repeated';
  logs.push({ key, ...(url !== undefined && { url }) });
  return null;
}

async function readWitness(
  [name, vkey, url, ...rest]: readonly string[],
  { witnesses, named }: Reading,
): Promise<PolicyFaultCode | null> {
  if (name === undefined || vkey === undefined || rest.length > 0) return 'policy_line_malformed';
  if (name === NONE || named.has(name)) return 'policy_name_repeated';
  const key = await parseVkey(vkey);
  if (key === null) return 'policy_key_malformed';
  if (key.type !== COSIGNATURE_ED25519 && key.type !== COSIGNATURE_ML_DSA_44) return 'policy_key_type_wrong';
  if (hasKey(witnesses, key)) return 'policy_key_repeated';
  witnesses.push({ name, key, ...(url !== undefined && { url }) });
  named.set(name, { witness: name });
  return null;
}

function readGroup(
  [name, rule, ...names]: readonly string[],
  { named, members }: Reading,
): PolicyFaultCode | null {
  if (name === undefined || rule === undefined || names.length === 0) return 'policy_line_malformed';
  if (name === NONE || named.has(name)) return 'policy_name_repeated';
  const threshold = thresholdOf(rule, names.length);
  if (threshold === null) return 'policy_threshold_wrong';
  const group: Quorum[] = [];
  for (const member of names) {
    const known = named.get(member);
    if (known === undefined) return 'policy_name_unknown';
    if (members.has(member)) return 'policy_member_repeated';
    members.add(member);
    group.push(known);
  }
  named.set(name, { threshold, members: group });
  return null;
}

function readQuorum([name, ...rest]: readonly string[], reading: Reading): PolicyFaultCode | null {
  if (name === undefined || rest.length > 0) return 'policy_line_malformed';
  if (reading.quorum !== undefined) return 'policy_quorum_repeated';
  const quorum = name === NONE ? NONE : reading.named.get(name);
  if (quorum === undefined) return 'policy_name_unknown';
  reading.quorum = quorum;
  return null;
}

function thresholdOf(rule: string, count: number): number | null {
  if (rule === 'all') return count;
  if (rule === 'any') return 1;
  const threshold = /^[1-9]\d{0,4}$/.test(rule) ? Number(rule) : 0;
  return threshold >= 1 && threshold <= count ? threshold : null;
}

/** Whether one has the same public key, under whatever name. */
function hasKey(known: readonly { readonly key: Vkey }[], { publicKey }: Vkey): boolean {
  return known.some(({ key }) => areEqualBytes(key.publicKey, publicKey));
}

/** UTF-8 where it is; else one character for each byte. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return String.fromCharCode(...bytes);
  }
}
