import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';

/** Hostnames of a service that listens on loopback. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Permitted hostnames in Host, and in Origin of browsers. Without this check, any page could
 * point its own name at a service on this machine and call its tools (DNS rebinding).
 *
 * @param addresses - the public ones, of the service and of its tool server
 * @param host - on which it listens: on loopback, all names of loopback are permitted
 */
export function allowedHostnames(addresses: readonly string[], host: string): string[] {
  const named = addresses.map((address) => new URL(address).hostname);
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  return [...new Set([...named, ...(isLoopback ? LOOPBACK : [])])];
}

/** Why a request is refused, as a sentence; `null`: it is permitted. */
export function refusal(
  headers: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[],
): string | null {
  const host = validateHostHeader(headers.host, [...allowed]);
  if (!host.ok) {
    return `${host.message}. Set TOUCHSTONE_MCP_URL to the address of the tool server.`;
  }
  const origin = validateOriginHeader(headers.origin, [...allowed]);
  return origin.ok ? null : `${origin.message}. Only pages of this service may call it from a browser.`;
}
