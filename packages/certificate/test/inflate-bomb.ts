/**
 * Inflates the stream given as base64url on standard input, after an honest list, and prints what comes of it and by how many bytes it
 * raised the peak of this process's memory.
 */
import { readFileSync } from 'node:fs';
import { decodeBase64url } from '../src/proof/base64url.ts';
import { deflate, inflate } from '../src/withdrawal/deflate.ts';
import { STATUS_LIST_BYTES } from '../src/withdrawal/status-list.ts';

const bomb = decodeBase64url(readFileSync(0, 'utf8')) ?? new Uint8Array();
const honest = await deflate(new Uint8Array(STATUS_LIST_BYTES));
for (let i = 0; i < 20; i++) await inflate(honest, STATUS_LIST_BYTES);
const before = process.resourceUsage().maxRSS;
const inflated = await inflate(bomb, STATUS_LIST_BYTES);
const cost = (process.resourceUsage().maxRSS - before) * 1024;
console.log(JSON.stringify({ inflated, cost }));
