import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { listSigningKeys, type SigningKeyView } from '@touchstone/contract';
import type { Config } from '../../platform/settings/config.ts';
import { days, daysBetween, type Finding, finding, ok } from './finding.ts';

const PATIENCE = 5_000;
/** Days. */
const SOON = 14;
const STANDBYS = 2;
/** Seconds: verifiers allow five minutes. */
const CLOCK_TOLERANCE = 30;
const JWKS = '/api/v1/.well-known/jwks.json';

/** Where the node itself listens. */
function ownAddress({ host, port }: Config): string {
  const name =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : isIP(host) === 6 ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) });

/** The node on this machine: ready or not, and the age of its keys. */
export async function examineNode(config: Config, now: Date): Promise<Finding[]> {
  const own = ownAddress(config);
  const ready = await get(`${own}/readyz`).catch(() => null);
  if (ready === null)
    return [
      finding(
        'service',
        'fault',
        `It does not answer at ${own}.`,
        'Start it, or run this with its settings.',
      ),
    ];
  const body = (await ready.json()) as { detail?: string; findings?: number };
  const service =
    ready.status !== 200
      ? finding('service', 'fault', body.detail ?? `It answers ${ready.status}.`, 'See its log.')
      : body.findings === undefined
        ? ok('service', `It is ready at ${own}.`)
        : finding(
            'service',
            'warning',
            `It is ready, and reports ${body.findings} findings.`,
            'Its log, and the console, name them.',
          );
  return [service, ...(await keysOf(config, own, now))];
}

async function keysOf(
  { operatorKey, dataDir, signingRotateDays }: Config,
  own: string,
  now: Date,
): Promise<Finding[]> {
  const about = 'signing keys';
  const key = operatorKey ?? (await readFile(join(dataDir, 'operator.key'), 'utf8').catch(() => '')).trim();
  if (key === '')
    return [
      finding(
        about,
        'unknown',
        'Their age is told to the operator only.',
        'Set TOUCHSTONE_OPERATOR_KEY, or run this as the user of the service.',
      ),
    ];
  const answer = await get(`${own}${listSigningKeys.path}`, { authorization: `Bearer ${key}` });
  if (answer.status !== 200) return [finding(about, 'unknown', `The service answers ${answer.status}.`)];
  const { keys } = (await answer.json()) as { keys: SigningKeyView[] };
  const proofs = keys.filter(({ purpose }) => purpose === 'proofs');
  const active = proofs.find(({ state }) => state === 'active');
  const standbys = proofs.filter(({ state }) => state === 'standby').length;
  if (active?.activeFrom === undefined)
    return [finding(about, 'fault', 'No key signs.', 'See the log of the service.')];
  const age = daysBetween(new Date(active.activeFrom), now);
  const said = `The key that signs has been used for ${days(age)}; ${standbys} standby keys are published.`;
  if (standbys < STANDBYS)
    return [finding(about, 'fault', said, 'See the log of the service: it publishes two.')];
  return [
    age > signingRotateDays + 1
      ? finding(about, 'warning', said, 'Run "touchstone keys signing rotate".')
      : ok(about, said),
  ];
}

/** The public address: whether it leads here, by names, TLS and proxy. */
export async function examineAddress(config: Config, clock: () => Date): Promise<Finding[]> {
  const { trustProxy, baseUrl = ownAddress(config) } = config;
  const { protocol, hostname, port } = new URL(baseUrl);
  const bare = hostname.replace(/^\[|\]$/g, '');
  const addresses = await lookup(bare, { all: true }).catch(() => []);
  if (addresses.length === 0)
    return [
      finding('DNS', 'fault', `${hostname} has no address.`, 'Publish one, or fix TOUCHSTONE_BASE_URL.'),
    ];
  const found = [ok('DNS', `${hostname} is at ${addresses.map(({ address }) => address).join(', ')}.`)];
  const isLocal = bare === 'localhost' || bare.startsWith('127.') || bare === '::1';
  if (protocol === 'https:') found.push(await examineTls(bare, Number(port || 443), clock()));
  else if (!isLocal)
    found.push(
      finding(
        'TLS',
        'fault',
        `${baseUrl} is not https.`,
        'Put a proxy with TLS in front; set TOUCHSTONE_BASE_URL before the first certificate.',
      ),
    );
  found.push(...(await examineRoute(config, clock)));
  if (protocol === 'https:' && trustProxy.length === 0)
    found.push(
      finding(
        'proxy',
        'warning',
        'A proxy ends TLS, and none is trusted: all callers share one limit.',
        'List its network in TOUCHSTONE_TRUST_PROXY.',
      ),
    );
  return found;
}

function examineTls(host: string, port: number, now: Date): Promise<Finding> {
  return new Promise((resolve) => {
    const socket = connectTls({
      host,
      port,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      timeout: PATIENCE,
    });
    const end = (result: Finding) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('secureConnect', () => {
      const until = new Date(socket.getPeerCertificate().valid_to);
      const left = daysBetween(now, until);
      const said = `The certificate of ${host} is valid for ${days(left)} more.`;
      end(left < SOON ? finding('TLS', 'warning', said, 'Renew it.') : ok('TLS', said));
    });
    socket.once('timeout', () => end(finding('TLS', 'fault', `${host}:${port} does not answer.`)));
    socket.once('error', ({ message }) =>
      end(finding('TLS', 'fault', `${host}:${port}: ${message}.`, 'Browsers and verifiers refuse it, too.')),
    );
  });
}

/** Whether the public address leads to this service, with the headers that it needs. */
async function examineRoute(config: Config, clock: () => Date): Promise<Finding[]> {
  const { baseUrl = ownAddress(config), mcpUrl = baseUrl } = config;
  const about = 'public address';
  const [there, here] = await Promise.all(
    [baseUrl, ownAddress(config)].map(async (base) => {
      const answer = await get(`${base}${JWKS}`).catch((error: Error) => error);
      return answer instanceof Error
        ? { problem: causeOf(answer) }
        : { status: answer.status, date: answer.headers.get('date'), text: await answer.text() };
    }),
  );
  if (there === undefined || 'problem' in there)
    return [
      finding(
        about,
        'fault',
        `${baseUrl} cannot be reached from here: ${there?.problem}.`,
        'Look at proxy and firewall; verifiers fetch the keys there.',
      ),
    ];
  if (there.status !== 200)
    return [
      finding(
        about,
        'fault',
        `${baseUrl}${JWKS} answers ${there.status}.`,
        'Let the proxy pass on every path.',
      ),
    ];
  const found: Finding[] = [];
  if (here !== undefined && 'text' in here && here.text !== there.text)
    found.push(
      finding(about, 'fault', `${baseUrl} leads to a service with other keys.`, 'Let it lead to this one.'),
    );
  const asked = await get(`${mcpUrl}/mcp`).catch(() => null);
  // any answer but this one means that the host was passed on
  if (asked?.status === 403)
    found.push(
      finding(
        'proxy',
        'fault',
        'It does not pass on the Host header: tools for agents are refused.',
        'Pass it on unchanged.',
      ),
    );
  const difference = Math.abs(new Date(there.date ?? Number.NaN).getTime() - clock().getTime()) / 1_000;
  if (difference > CLOCK_TOLERANCE)
    found.push(
      finding(
        'clock',
        'warning',
        `The clock of this machine is ${Math.round(difference)} s away from that of ${baseUrl}.`,
        'Run a time service: proofs carry dates.',
      ),
    );
  return found.length > 0 ? found : [ok(about, `${baseUrl} leads to this service.`)];
}

const causeOf = ({ message, cause }: Error) =>
  cause instanceof Error && cause.message !== '' ? cause.message : message;
