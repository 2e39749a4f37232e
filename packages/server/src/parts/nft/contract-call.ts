import { z } from 'zod';
import { RpcRefusal } from './json-rpc.ts';

/** Hexadecimal text with `0x`, in lower case. */
export const hex = z
  .string()
  .regex(/^0x[0-9a-f]*$/i)
  .toLowerCase();

/** Calls a JSON-RPC method of a chain, and validates the result. */
export type Ask = <T>(schema: z.ZodType<T>, method: string, ...params: readonly unknown[]) => Promise<T>;

/** The current result of a contract's function; `null`: it has no such function, or reverts. */
export async function callContract(ask: Ask, to: string, data: string): Promise<string | null> {
  try {
    return await ask(hex, 'eth_call', { to, data }, 'latest');
  } catch (error) {
    if (error instanceof RpcRefusal && error.isRevert) return null;
    throw error;
  }
}

/** A number as a word of 32 bytes (Ethereum ABI). */
export function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}
