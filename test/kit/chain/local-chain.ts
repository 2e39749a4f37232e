import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toolPath } from '../installed.ts';

type Hex = `0x${string}`;

/** A real chain on loopback that mines a block for each transaction at once. */
export interface LocalChain {
  readonly url: string;
  readonly chainId: number;
  /** Deploys the record contract; returns its address in lower case. */
  deploy(): Promise<Hex>;
  /** Sends a transaction and returns its hash, even if it reverts. */
  send(contract: Hex, method: string, tokenId: bigint, uhash?: string, phash?: Hex): Promise<Hex>;
  mine(blocks: number): Promise<void>;
  /** Turns automatic mining on, or off, so that transactions wait. */
  automine(on: boolean): Promise<void>;
  close(): Promise<void>;
}

interface Receipt {
  readonly contractAddress: Hex;
}

/** `null` if not installed (`npm run tools`), or if npm has no binary for this machine. */
export const ANVIL = toolPath('chain', `@foundry-rs/anvil-${process.platform}-amd64/bin/anvil`);

export async function openLocalChain(anvil: string): Promise<LocalChain> {
  const { url, stop } = await startAnvil(anvil);
  const { bytecode, selectors } = compileRecord();
  const ask = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  /** The chain returns the hash shortly before the block with the transaction is mined. */
  const mined = async (hash: Hex): Promise<Receipt> => {
    for (let patience = 200; patience > 0; patience--) {
      const receipt = await ask<Receipt | null>('eth_getTransactionReceipt', hash);
      if (receipt !== null) return receipt;
      await delay(25);
    }
    throw new Error(`the chain makes no block with ${hash}`);
  };
  let automine = true;
  const [from] = await ask<Hex[]>('eth_accounts');
  return {
    url,
    chainId: Number(await ask('eth_chainId')),
    async deploy() {
      const hash = await ask<Hex>('eth_sendTransaction', { from, data: bytecode });
      const { contractAddress } = await mined(hash);
      return contractAddress.toLowerCase() as Hex;
    },
    // with explicit gas, so that a revert is not detected before sending
    async send(to, method, tokenId, uhash, phash) {
      const data = `0x${selectors[method]}${word(tokenId)}${uhash === undefined ? '' : hashes(uhash, phash)}`;
      const hash = await ask<Hex>('eth_sendTransaction', { from, to, data, gas: '0x7a120' });
      if (automine) await mined(hash);
      return hash;
    },
    mine: (blocks) => ask('anvil_mine', `0x${blocks.toString(16)}`),
    async automine(on) {
      await ask('evm_setAutomine', on);
      automine = on;
    },
    close: stop,
  };
}

const word = (value: bigint) => value.toString(16).padStart(64, '0');

/** The ABI encoding of `bytes32, bytes` after one word. */
function hashes(uhash: string, phash: Hex = '0x'): string {
  const bytes = phash.slice(2);
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0');
  return uhash + word(96n) + word(BigInt(bytes.length / 2)) + padded;
}

async function startAnvil(anvil: string) {
  const child = spawn(anvil, ['--port', '0', '--host', '127.0.0.1'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the chain ended: ${output}`)));
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString();
      const [, address] = /Listening on ([\d.:]+)/.exec(output) ?? [];
      if (address !== undefined) resolve(`http://${address}`);
    });
  });
  return {
    url,
    stop: () => {
      child.kill();
      return ended;
    },
  };
}

/** Compiles the contract in this folder; its methods by name. */
function compileRecord(): { bytecode: Hex; selectors: Record<string, string> } {
  const solc = createRequire(import.meta.url)(toolPath('chain', 'solc') ?? 'solc') as {
    compile(input: string): string;
  };
  const content = readFileSync(join(import.meta.dirname, 'ImageRecord.sol'), 'utf8');
  const input = {
    language: 'Solidity',
    sources: { record: { content } },
    settings: { outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.methodIdentifiers'] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as {
    errors?: unknown;
    contracts: {
      record: {
        ImageRecord: { evm: { bytecode: { object: string }; methodIdentifiers: Record<string, string> } };
      };
    };
  };
  if (output.errors !== undefined) throw new Error(JSON.stringify(output.errors));
  const { bytecode, methodIdentifiers } = output.contracts.record.ImageRecord.evm;
  const selectors = Object.entries(methodIdentifiers).map(([signature, selector]) => [
    signature.replace(/\(.*/, ''),
    selector,
  ]);
  return { bytecode: `0x${bytecode.object}`, selectors: Object.fromEntries(selectors) };
}
