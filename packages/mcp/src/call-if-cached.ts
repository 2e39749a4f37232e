import { MODERN_REVISION } from '@touchstone/contract/tools';
import { serverInfo, type ToolBox } from './server.ts';
import { toolResultText } from './tool.ts';
import type { CachedUseCases } from './use-cases.ts';

/** One message with the metadata from its headers. */
export interface ToolMessage {
  /** Any JSON value. */
  readonly body: unknown;
  /** A supported revision of the protocol. */
  readonly revision: string;
  /** The tool named in the header; older revisions have no such header. */
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
/** More than any tool takes. */
const MAX_ARGUMENTS = 10;

/**
 * Handles a tool call directly, with the same JSON as the protocol's library, if the call has no optional members and
 * the tool can answer from the cache. The library is slower: it creates a server and a transport for each call, and
 * parses the call with several schemas.
 *
 * @returns `undefined` for anything else, which the library must handle
 */
export function callIfCached(
  { version, tools }: ToolBox,
  { body, revision, named }: ToolMessage,
  use: CachedUseCases,
): string | undefined {
  const isModern = revision === MODERN_REVISION;
  if (!isMembers(body, ENVELOPE) || body.jsonrpc !== '2.0' || body.method !== 'tools/call') return undefined;
  const { id, params } = body;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  if (!isMembers(params, isModern ? MODERN_PARAMS : PARAMS)) return undefined;
  const { name, arguments: args, _meta: meta } = params;
  if (typeof name !== 'string' || named !== (isModern ? name : undefined)) return undefined;
  if (isModern && !isPlainMeta(meta)) return undefined;
  if (!isMembers(args) || Object.keys(args).length > MAX_ARGUMENTS) return undefined;
  const answer = tools.get(name)?.runIfCached(args, use);
  if (answer === undefined) return undefined;
  const further = isModern
    ? `,"resultType":"complete","_meta":{"${META}serverInfo":${JSON.stringify(serverInfo(version))}}`
    : '';
  return `{"result":${toolResultText(answer)}${further}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

/** Client, capabilities and revision, without optional members. */
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

/** A JSON object; if `names` are given, with no other members. */
function isMembers(value: unknown, names?: ReadonlySet<string>): value is Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (names === undefined) return true;
  for (const name in value) if (!names.has(name)) return false;
  return true;
}
