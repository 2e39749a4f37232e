import { type Policy, parsePolicy } from '@touchstone/certificate/log';
import { isConfidential } from '@touchstone/fetch/credential';
import { usage } from '../cli-error.ts';
import { readInput } from '../files.ts';
import type { Io } from '../io.ts';
import { fetchBytes } from './log-source.ts';

/** Bytes. */
const LIMIT = 65_536;

/**
 * Reads a policy from a file or an address.
 *
 * @throws CliError (usage) if it is none
 */
export async function readPolicy(place: string, io: Io): Promise<Policy> {
  const isAddress = /^https?:/i.test(place);
  if (isAddress && URL.canParse(place) && !isConfidential(new URL(place)))
    throw usage(`Anybody on the way could change the keys of ${place}.`, 'Give its address with https://.');
  const bytes = isAddress ? await fetchBytes(place, LIMIT, io) : await readInput(place, io, LIMIT);
  if (bytes === undefined) throw usage(`There is no policy at ${place}.`);
  const policy = await parsePolicy(bytes);
  if (!('fault' in policy)) return policy;
  throw usage(
    `${place} is not a policy: ${policy.fault}${policy.line === undefined ? '' : `, line ${policy.line}`}.`,
  );
}
