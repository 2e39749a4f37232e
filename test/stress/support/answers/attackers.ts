import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type AttackOrder = { readonly kind: 'attack'; readonly service: string } | { readonly kind: 'cease' };
export type AttackNews =
  | { readonly kind: 'ready'; readonly port: number }
  | ({ readonly kind: 'ceased' } & Attack);

export interface Attack {
  /** The number of checks with each outcome. */
  readonly checks: Readonly<Record<string, number>>;
  /** Milliseconds of each check whose page was read. */
  readonly read: readonly number[];
}

/** Hostile hosts, and callers who check them, in a separate process. */
export interface Attackers {
  /** Port of the hostile hosts. */
  readonly port: number;
  attack(service: string): void;
  /** Ends the attack and waits for the last response. */
  cease(): Promise<Attack>;
  close(): Promise<void>;
}

/** Names of the hostile hosts. */
export const HOSTILE_HOSTS = Array.from({ length: 8 }, (_, n) => `hostile${n}.example`);

export async function startAttackers(): Promise<Attackers> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'attackers-child.ts'), { stdio: 'inherit' });
  const news = async <K extends AttackNews['kind']>(kind: K) => {
    const [message] = (await once(child, 'message')) as [AttackNews];
    if (message.kind !== kind) throw new Error(`${kind} was expected, not ${message.kind}`);
    return message as Extract<AttackNews, { kind: K }>;
  };
  const { port } = await news('ready');
  const order = (message: AttackOrder) => child.send(message);
  return {
    port,
    attack: (service) => void order({ kind: 'attack', service }),
    async cease() {
      order({ kind: 'cease' });
      return await news('ceased');
    },
    async close() {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}
