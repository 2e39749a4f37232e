import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../kit/imports.ts';
import { type Program, programTransport, startProgram } from './program.ts';
import type { Transport } from './transport.ts';

/** Whether Go is installed. */
export const hasGo = spawnSync('go', ['version']).status === 0;

export const GO_SDK = join(ROOT, 'sdk/go');

/** Builds `sdk/go/cmd/vectors`; returns its path. */
export function buildGo(folder: string): string {
  const program = join(folder, 'vectors');
  const built = spawnSync('go', ['build', '-o', program, './cmd/vectors'], { cwd: GO_SDK, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  return program;
}

/** The verifier in Go. */
export function goTransport(program: string): Transport {
  return programTransport({
    name: 'go',
    command: [program],
    cannot: ({ kind }) => (kind === 'page' ? 'it reads no pages' : null),
    refusesKeys: true,
    readsImages: false,
  });
}

/** The same for any question. */
export const startGo = (program: string): Program => startProgram({ name: 'go', command: [program] });
