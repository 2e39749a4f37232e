import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './imports.ts';

/** A tool of `tools/<folder>`, installed by `npm run tools`; `null` if it is missing. */
export function toolPath(folder: string, path: string): string | null {
  const file = join(ROOT, 'tools', folder, 'node_modules', path);
  return existsSync(file) ? file : null;
}

/** The system's Chromium; `null` if there is none. */
export function chromiumPath(): string | null {
  return (
    ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync) ?? null
  );
}

/** Chromium without windows if it is there, which needs a third less time, but lacks switches of the whole browser. */
export function headlessPath(): string | null {
  const shell = '/usr/bin/chromium-headless-shell';
  return existsSync(shell) ? shell : chromiumPath();
}
