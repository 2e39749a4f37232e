import { join, resolve } from 'node:path';
import { makeDownloads } from './packages/downloads.ts';

// What merchants install, as the service offers it at /downloads: packages/server/downloads, or the folder named by an argument.

await makeDownloads(resolve(process.argv[2] ?? join(import.meta.dirname, '../packages/server/downloads')));
