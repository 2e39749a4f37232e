import { z } from 'zod';
import { RpcRefusal } from './json-rpc.ts';

/** Hexadecimal text with `0x`, in lower case. */
export const hex = z
  .string()
  .regex(/^0x[0-9a-f]*$/i)
  .toLowerCase();

/** Asks a chain one thing, and holds its answer against a schema. */
export type Ask = <T>(schema: z.ZodType<T>, method: string, ...params: readonly unknown[]) => Promise<T>;

/** What a function of a contract answers now; `null`: it has no such function, or refuses. */
export async function callContract(ask: Ask, to: string, data: string): Promise<string | null> {
  try {
    return await ask(hex, 'eth_call', { to, data }, 'latest');
  } catch (error) {
    if (error instanceof RpcRefusal && error.isRevert) return null;
    throw error;
  }
}

/** A number as the 32 bytes of the ABI. */
export function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}
