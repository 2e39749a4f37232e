/** All members of JSON-RPC 2.0 messages, both requests and responses. */
const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
/** Values in a message, without those in the arguments of a tool: clients send a few dozen. */
export const MAX_VALUES = 1_000;

/**
 * Whether a message is worth giving to the protocol's library, whose schemas take time for every name in it. What an
 * argument of a tool holds is left to that tool's schema.
 *
 * @param message - any value of JSON, as large as a body may be
 * @returns why not, as a sentence; `null` when it is
 */
export function envelopeFault(message: unknown): string | null {
  if (Array.isArray(message)) {
    return 'a body is one message. The supported revisions have no batches.';
  }
  if (typeof message !== 'object' || message === null) return null;
  for (const name in message) {
    if (!MEMBERS.has(name)) return 'a message has a member that JSON-RPC 2.0 does not define.';
  }
  return isCounted(message, MAX_VALUES, toolArguments(message))
    ? null
    : `a message has more than ${MAX_VALUES} values outside the arguments of a tool.`;
}

function toolArguments({ method, params }: { method?: unknown; params?: unknown }): unknown {
  const isCall = method === 'tools/call' && typeof params === 'object' && params !== null;
  return isCall ? (params as { arguments?: unknown }).arguments : undefined;
}

/**
 * Whether `value` contains at most `limit` values, not counting those within the members of `flat`. Does not recurse, since
 * the nesting of a body is limited only by its length.
 */
function isCounted(value: object, limit: number, flat: unknown): boolean {
  const rest: unknown[] = [value];
  for (let count = 0; rest.length > 0; ) {
    const next = rest.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const name in next) {
      count += 1;
      if (count > limit) return false;
      if (next !== flat) rest.push((next as Record<string, unknown>)[name]);
    }
  }
  return true;
}
