import type { FastifyInstance } from 'fastify';

/** Milliseconds between looks at connections that have fallen idle. */
const SWEEP = 50;

/**
 * Stops accepting, lets what is under way finish, and returns once every connection is closed; what has not
 * finished after `timeout` milliseconds is cut off.
 */
export async function drain(app: FastifyInstance, timeout: number): Promise<void> {
  // Node closes the connections that are idle now; those that fall idle while we wait are ours to close
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP);
  const deadline = setTimeout(() => app.server.closeAllConnections(), timeout);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
