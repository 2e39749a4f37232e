import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Abi, createTestClient, type Hex, http, publicActions, walletActions } from 'viem';
import { foundry } from 'viem/chains';
import { ROOT } from '../imports.ts';

/** A real chain on loopback that makes a block of each transaction at once. */
export interface LocalChain {
  readonly url: string;
  readonly chainId: number;
  /** Puts the record contract on it; lower case. */
  deploy(): Promise<Hex>;
  /** Sends a transaction and gives back its hash; reverted ones too. */
  send(contract: Hex, method: string, ...args: readonly unknown[]): Promise<Hex>;
  mine(blocks: number): Promise<void>;
  /** Transactions wait from now on, or are made blocks of again. */
  automine(on: boolean): Promise<void>;
  close(): Promise<void>;
}

/** `null` where npm has no binary for this machine. */
export const ANVIL = findAnvil();

function findAnvil(): string | null {
  const path = join(ROOT, `node_modules/@foundry-rs/anvil-${process.platform}-amd64/bin/anvil`);
  return existsSync(path) ? path : null;
}

export async function openLocalChain(anvil: string): Promise<LocalChain> {
  const { url, stop } = await startAnvil(anvil);
  const client = createTestClient({ chain: foundry, mode: 'anvil', transport: http(url) })
    .extend(publicActions)
    .extend(walletActions);
  const [account] = await client.getAddresses();
  if (account === undefined) throw new Error('the chain has no accounts');
  const { abi, bytecode } = compileRecord();
  return {
    url,
    chainId: foundry.id,
    async deploy() {
      const hash = await client.deployContract({ abi, bytecode, account });
      const { contractAddress } = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
      return (contractAddress ?? '0x').toLowerCase() as Hex;
    },
    // with gas of its own, so that one that reverts is not found out before it is sent
    send: (address, functionName, ...args) =>
      client.writeContract({ address, abi, functionName, args, account, gas: 500_000n }),
    mine: (blocks) => client.mine({ blocks }),
    automine: (on) => client.setAutomine(on),
    close: stop,
  };
}

async function startAnvil(anvil: string) {
  const child = spawn(anvil, ['--port', '0', '--host', '127.0.0.1'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the chain ended: ${said}`)));
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString();
      const [, address] = /Listening on ([\d.:]+)/.exec(said) ?? [];
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

/** The contract beside this file, compiled now. */
function compileRecord(): { abi: Abi; bytecode: Hex } {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const content = readFileSync(join(import.meta.dirname, 'ImageRecord.sol'), 'utf8');
  const input = {
    language: 'Solidity',
    sources: { record: { content } },
    settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as {
    errors?: unknown;
    contracts: { record: { ImageRecord: { abi: Abi; evm: { bytecode: { object: string } } } } };
  };
  if (output.errors !== undefined) throw new Error(JSON.stringify(output.errors));
  const { abi, evm } = output.contracts.record.ImageRecord;
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}
