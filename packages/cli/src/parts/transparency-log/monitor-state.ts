import { usage } from '../../cli-error.ts';
import { readInput } from '../../files.ts';
import type { Io } from '../../io.ts';

const STATE_LIMIT = 20_000_000;

/** How far a monitor has read a log. */
export interface MonitoredLog {
  /** The newest checkpoint that was seen: a later one must contain all of its entries. */
  readonly checkpoint: string;
  /** The next entry to read. */
  readonly next: number;
  /** The log's keys, as vkeys: others are not accepted later, unless a policy names them. */
  readonly keys: readonly string[];
  /** Where the command was told to read. */
  readonly place: string;
}

/** What a monitor remembers between runs. */
export interface MonitorState {
  readonly domain: string;
  /** By origin. */
  readonly logs: Readonly<Record<string, MonitoredLog>>;
}

/** @throws CliError (usage) if the file is none of these, or about another domain */
export async function readMonitorState(
  path: string | undefined,
  domain: string,
  io: Io,
): Promise<MonitorState> {
  const empty = { domain, logs: {} };
  const folder = path?.replace(/[^/]*$/, '') || '.';
  const name = path?.replace(/^.*\//, '') ?? '';
  if (path === undefined || !(await io.namesIn(folder)).includes(name)) return empty;
  const text = new TextDecoder().decode(await readInput(path, io, STATE_LIMIT));
  const state = stateOf(text);
  if (state === undefined) throw usage(`${path} is not the state of a monitor.`);
  if (state.domain !== domain) throw usage(`${path} is the state of the monitor of ${state.domain}.`);
  return state;
}

function stateOf(text: string): MonitorState | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { domain, logs } = Object(value) as Partial<MonitorState>;
  const isLog = ({ checkpoint, next, keys }: Partial<MonitoredLog>) =>
    typeof checkpoint === 'string' && Number.isSafeInteger(next) && Array.isArray(keys);
  if (typeof domain !== 'string' || typeof logs !== 'object' || logs === null) return undefined;
  return Object.values(logs).every((log) => isLog(Object(log))) ? { domain, logs } : undefined;
}

export async function writeMonitorState(
  path: string | undefined,
  state: MonitorState,
  io: Io,
): Promise<void> {
  if (path !== undefined) await io.writeFile(path, Buffer.from(`${JSON.stringify(state, null, 2)}\n`));
}
