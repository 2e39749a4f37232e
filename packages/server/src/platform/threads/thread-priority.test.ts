import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const MODULE = new URL('./thread-priority.ts', import.meta.url).href;

/** The niceness of a process that began with this one and then yields, as a user who may not lower it. */
function nicenessAfter(first: number): string {
  const script = `
    const { getPriority, setPriority } = await import('node:os');
    const { yieldToRequests } = await import(${JSON.stringify(MODULE)});
    setPriority(0, ${first});
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
    yieldToRequests();
    console.log(getPriority(0));`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  }).trim();
}

it.runIf(process.platform === 'linux')(
  'a thread takes less than requests, also in a service that was started with little: it must not end',
  () => {
    expect(nicenessAfter(10)).toBe('10');
    expect(nicenessAfter(19)).toBe('19');
  },
);
