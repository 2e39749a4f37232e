import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { pipeTogether } from '../../packages/server/src/testing.ts';
import { listen, portOf } from '../kit/servers.ts';

/** An address that stays the same while the service behind it is unavailable, or restarts on another port. */
export interface Relay {
  readonly url: string;
  /** Changes the target; `null`: connections are closed without a response. */
  leadTo(url: string | null): void;
  close(): Promise<void>;
}

export async function openRelay(): Promise<Relay> {
  const open = new Set<Socket>();
  let target: URL | null = null;
  const server = createServer((client) => {
    if (target === null) return void client.destroy();
    pipeTogether(client, connect(Number(target.port), target.hostname), open);
  });
  await listen(server);
  const closeAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    leadTo(url) {
      target = url === null ? null : new URL(url);
      if (target === null) closeAll();
    },
    async close() {
      server.close();
      closeAll();
      await once(server, 'close');
    },
  };
}
