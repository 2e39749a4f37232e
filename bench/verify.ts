import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { measure, type Subject } from './verify/measure.ts';
import { ours } from './verify/ours.ts';

// npm run bench:verify: how much verify() adds to the signature check that nobody can do without (node
// bench/verify/bound.ts says how much of it is for the members of the document), and how it stands
// beside two libraries for verifiable credentials. Exits 1 when a goal is missed.

const GOALS = { bare: 0.7, '@digitalbazaar/vc': 15, 'did-jwt-vc': 30 };

const hasPeers = existsSync(join(import.meta.dirname, '../tools/verify-peers/node_modules'));
const { bare, verification } = await ours();
const rates = await measure([verification, bare, ...(hasPeers ? await peers() : [])]);
const own = rates[0]?.perSecond ?? 0;

process.stdout.write('\nVerifications a second of processor time\n\n');
let missed = 0;
for (const { name, perSecond } of rates) {
  const ratio = own / perSecond;
  const goal = Object.entries(GOALS).find(([peer]) => name.startsWith(peer))?.[1];
  const isMissed = goal !== undefined && ratio < goal;
  missed += Number(isMissed);
  const comparison =
    goal === undefined
      ? ''
      : `verify() is ${ratio.toFixed(2)} times that; goal ${goal}${isMissed ? ', MISSED' : ''}`;
  process.stdout.write(
    `${name.padEnd(54)}${Math.round(perSecond).toLocaleString('en').padStart(8)}  ${comparison}\n`,
  );
}
if (!hasPeers)
  process.stdout.write('\nWithout the peers: npm ci --ignore-scripts --prefix tools/verify-peers\n');
process.exitCode = missed > 0 ? 1 : 0;

async function peers(): Promise<Subject[]> {
  const { didJwtVc, digitalbazaar } = (await import(`./verify/${'peers.mjs'}`)) as {
    didJwtVc(): Promise<Subject>;
    digitalbazaar(): Promise<Subject>;
  };
  return [await digitalbazaar(), await didJwtVc()];
}
