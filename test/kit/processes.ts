import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';

/** Ids of the running processes that a process started: those of the service, started by `touchstone serve`. */
export function processesOf(supervisor: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, ppid, stat, args] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const isOurs = Number(ppid) === supervisor && stat?.startsWith('Z') === false;
    return isOurs && /\/process\.(ts|js)$/.test(args ?? '') ? [Number(pid)] : [];
  });
}

export interface OwnAnswer {
  readonly status: number;
  readonly text: string;
}

/** One request on a new connection, since connections are distributed among processes in turn. */
export function askAnew(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
): Promise<OwnAnswer> {
  return new Promise((resolve, reject) => {
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(url, { method, headers: { ...content, ...headers }, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text })).on('error', reject);
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The values of one metric, optionally of the series with a label, added up by process. */
export function byProcess(metrics: string, name: string, label = ''): Map<string, number> {
  const values = new Map<string, number>();
  for (const [, labels = '', value] of metrics.matchAll(new RegExp(`^${name}\\{([^}]*)\\} (\\S+)$`, 'gm'))) {
    if (!labels.includes(label)) continue;
    const process = /process="([^"]*)"/.exec(labels)?.[1] ?? '';
    values.set(process, (values.get(process) ?? 0) + Number(value));
  }
  return values;
}

export function sum(values: Map<string, number>): number {
  return [...values.values()].reduce((total, value) => total + value, 0);
}

/** Resident memory of a process in bytes, now or at its peak since `resetPeak`; Linux only. */
export function memoryOf(pid: number | string, which: 'now' | 'peak'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const line = which === 'now' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/;
  return Number(line.exec(status)?.[1]) * 1_024;
}

export function resetPeak(pid: number | string): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
