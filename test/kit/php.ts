import { spawnSync } from 'node:child_process';

/** Whether PHP is installed, for `sdk/php`. */
export const hasPhp = spawnSync('php', ['-v']).status === 0;
