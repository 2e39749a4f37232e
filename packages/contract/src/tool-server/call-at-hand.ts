import { MODERN_REVISION } from '../tools.ts';
import { serverInfo, type ToolBox } from './server.ts';
import { toolResultText } from './tool.ts';
import type { UseCasesAtHand } from './use-cases.ts';

/** One message, and what its headers say of it. */
export interface MessageAtHand {
  /** Any value of JSON. */
  readonly body: unknown;
  /** Revision of the protocol, one of those that are served. */
  readonly revision: string;
  /** The tool that the header names; older revisions have no such header. */
  readonly named: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

const ENVELOPE = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAMS = new Set(['name', 'arguments']);
const MODERN_PARAMS = new Set([...PARAMS, '_meta']);
const META = 'io.modelcontextprotocol/';
const MODERN_META = new Set(
  ['protocolVersion', 'clientInfo', 'clientCapabilities'].map((name) => META + name),
);
const CLIENT = new Set(['name', 'version', 'title']);
const CAPABILITIES = new Set(['elicitation', 'roots', 'sampling']);
/** Arguments that are worth a look: no tool has as many. */
const MOST_ARGUMENTS = 10;

/**
 * The JSON that the protocol's library answers to a call of a tool, where the call says nothing but what it must, and the tool
 * answers from memory: the library makes a server and a transport for each, and reads the message by several schemas.
 *
 * @returns `undefined` for anything else, which is the library's
 */
export function callAtHand(
  { version, tools }: ToolBox,
  { body, revision, named }: MessageAtHand,
  use: UseCasesAtHand,
): string | undefined {
  const isModern = revision === MODERN_REVISION;
  if (!isMembers(body, ENVELOPE) || body.jsonrpc !== '2.0' || body.method !== 'tools/call') return undefined;
  const { id, params } = body;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  if (!isMembers(params, isModern ? MODERN_PARAMS : PARAMS)) return undefined;
  const { name, arguments: args, _meta: meta } = params;
  if (typeof name !== 'string' || named !== (isModern ? name : undefined)) return undefined;
  if (isModern && !isPlainMeta(meta)) return undefined;
  if (!isMembers(args) || Object.keys(args).length > MOST_ARGUMENTS) return undefined;
  const answer = tools.get(name)?.atHand(args, use);
  if (answer === undefined) return undefined;
  const further = isModern
    ? `,"resultType":"complete","_meta":{"${META}serverInfo":${JSON.stringify(serverInfo(version))}}`
    : '';
  return `{"result":${toolResultText(answer)}${further}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

/** Who calls, what they can do, and by which revision, in the least words. */
function isPlainMeta(meta: unknown): boolean {
  if (!isMembers(meta, MODERN_META) || meta[`${META}protocolVersion`] !== MODERN_REVISION) return false;
  const client = meta[`${META}clientInfo`];
  const capabilities = meta[`${META}clientCapabilities`];
  return (
    isMembers(client, CLIENT) &&
    typeof client.name === 'string' &&
    typeof client.version === 'string' &&
    (client.title === undefined || typeof client.title === 'string') &&
    isMembers(capabilities, CAPABILITIES) &&
    Object.values(capabilities).every((one) => isMembers(one, NONE))
  );
}

const NONE: ReadonlySet<string> = new Set();

/** An object of JSON, with members of these names only where names are given. */
function isMembers(value: unknown, names?: ReadonlySet<string>): value is Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (names === undefined) return true;
  for (const name in value) if (!names.has(name)) return false;
  return true;
}
