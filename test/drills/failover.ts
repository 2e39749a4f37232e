import { runFailovers, STRIKES, type Strike } from './support/failovers.ts';
import { missingPackages } from './support/programs.ts';

/*
 * `npm run drill:failover -- 50 [seed [kinds]]`: so many failovers in turn, of all kinds or of those named (`freeze,crash`), with writes
 * in flight. It needs Debian's packages patroni, etcd-server, haproxy and postgresql-15, and takes about half a minute for each failover.
 */
const [times = '10', seed = String(Math.floor(Math.random() * 1e9)), kinds = STRIKES.join()] =
  process.argv.slice(2);
const chosen = STRIKES.filter((strike) => kinds.split(',').includes(strike));
if (chosen.length === 0) throw new Error(`kinds of failover: ${STRIKES.join(', ')}`);
const missing = missingPackages(['patroni', 'etcd-server', 'haproxy', 'postgresql-15']);
if (missing.length > 0) throw new Error(`install ${missing.join(', ')}`);
const strikes = Array.from({ length: Number(times) }, (_, nth) => chosen[nth % chosen.length] as Strike);
const begun = performance.now();
let done = 0;
const { failovers, counts, stale, lost } = await runFailovers({
  strikes,
  machines: 3,
  seed: Number(seed),
  onFailover: ({ strike, warm, leader, writes }) => {
    done += 1;
    console.info(
      `${done} ${strike}: warm out ${warm} ms; leader after ${leader} ms; writes ${writes} ms later`,
    );
  },
});
console.info(
  `${failovers.length} failovers in ${Math.round((performance.now() - begun) / 1_000)} s, seed ${seed}`,
);
console.info('| what | times | leader after | warm requests out | writes after the leader |');
console.info('|---|---|---|---|---|');
for (const strike of chosen) {
  const those = failovers.filter((one) => one.strike === strike);
  const range = (values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    const seconds = (value: number | undefined) => ((value ?? 0) / 1_000).toFixed(1);
    return `${seconds(sorted[Math.floor(sorted.length / 2)])} (${seconds(sorted.at(-1))}) s`;
  };
  const columns = (['leader', 'warm', 'writes'] as const).map((key) => range(those.map((one) => one[key])));
  if (those.length > 0) console.info(`| ${strike} | ${those.length} | ${columns.join(' | ')} |`);
}
console.info(JSON.stringify(counts));
console.info(`lost: ${lost.length}; stale: ${stale.length}`);
for (const line of [...lost, ...stale]) console.info(line);
if (lost.length + stale.length > 0) process.exitCode = 1;
