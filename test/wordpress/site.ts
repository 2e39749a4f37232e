import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../kit/imports.ts';
import { freePort } from '../kit/servers.ts';

export const HOST = 'woo.example';
export const PLUGIN = join(ROOT, 'integrations/woocommerce');
const TESTS = join(PLUGIN, 'tests');
/** If PHP has it, pages take a fraction of the time. */
const OPCACHE = ['-d', 'opcache.enable_cli=1', '-d', 'opcache.revalidate_freq=0'];
const BUILDS = join(ROOT, 'tools/wordpress/node_modules/@wp-playground/wordpress-builds/src');

/** Why there is no WordPress here; `null`: there is one. */
export function whyNoWordPress(): string | null {
  const php = spawnSync('php', ['-m'], { encoding: 'utf8' });
  if (php.status !== 0) return 'there is no php (Debian: php-cli, php-sqlite3)';
  if (!/^pdo_sqlite$/m.test(php.stdout)) return 'php lacks pdo_sqlite (Debian: php-sqlite3)';
  return existsSync(BUILDS) ? null : 'tools/wordpress is not installed (npm run tools:wordpress)';
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Site {
  readonly port: number;
  /** Runs PHP inside WordPress, as cron would, and returns its result. The service can respond meanwhile. */
  evaluate<Result>(code: string): Promise<Result>;
  /** A request like a browser's; redirects are not followed. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(
    path: string,
    form: Record<string, string> | string,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Cookies of an administrator, or of another user. */
  logIn(user: string, password: string): Promise<string>;
  /** Purges by the plugin, and webhooks by the service: one line each. */
  counted(): string[];
  /** PHP errors and warnings in the plugin. */
  complaints(): string[];
  close(): Promise<void>;
}

/** A new WordPress in a temporary folder, with the plugin and the stand-in active, behind PHP's web server. */
export async function openSite(
  options: { readonly actionScheduler?: boolean; readonly pageCache?: boolean } = {},
): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-wordpress-'));
  unpack(join(BUILDS, 'wordpress/wp-6.5.zip'), folder);
  installDatabase(folder);
  const plugins = join(folder, 'wp-content/plugins');
  cpSync(PLUGIN, join(plugins, 'touchstone-certificates'), {
    recursive: true,
    filter: (path) => path !== TESTS,
  });
  // as scripts/packages/zip-folder.ts packs it
  for (const part of ['src', 'autoload.php'])
    cpSync(join(ROOT, 'sdk/php', part), join(plugins, 'touchstone-certificates/lib/certificate', part), {
      recursive: true,
    });
  cpSync(join(TESTS, 'stand-in'), join(plugins, 'woocommerce'), { recursive: true });
  cpSync(join(TESTS, 'clock.php'), join(folder, 'wp-content/mu-plugins/clock.php'));
  if (options.pageCache === true) {
    mkdirSync(join(folder, 'wp-content/cache'));
    cpSync(join(TESTS, 'page-cache/advanced-cache.php'), join(folder, 'wp-content/advanced-cache.php'));
  }
  writeFileSync(join(folder, 'wp-config.php'), config(folder, options.pageCache === true));
  const evaluate = <Result>(code: string) => run<Result>(folder, code);
  await evaluate(prepare(options.actionScheduler === true));
  // now that the plugins are loaded, with the addresses of products
  await evaluate('flush_rewrite_rules();');
  const { port, child } = await serve(folder);
  return {
    port,
    evaluate,
    get: (path, headers = {}) => ask(port, 'GET', path, headers),
    post: (path, form, headers = {}) => ask(port, 'POST', path, headers, form),
    logIn: (user, password) => logIn(port, user, password),
    counted: () => linesOf(join(folder, 'wp-content/counted.log')),
    complaints: () => complaintsIn(folder),
    async close() {
      const ended = once(child, 'close');
      // including its workers
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function unpack(zip: string, folder: string): void {
  execFileSync('php', ['-r', '(new PharData($argv[1]))->extractTo($argv[2], null, true);', zip, folder]);
}

/** The build comes with an installed database; its driver is installed beside it. */
function installDatabase(folder: string): void {
  const plugins = join(folder, 'wp-content/plugins');
  unpack(join(BUILDS, 'sqlite-database-integration/sqlite-database-integration.zip'), plugins);
  const driver = join(plugins, 'sqlite-database-integration-main');
  const copy = readFileSync(join(driver, 'db.copy'), 'utf8').replaceAll(
    '{SQLITE_IMPLEMENTATION_FOLDER_PATH}',
    driver,
  );
  writeFileSync(join(folder, 'wp-content/db.php'), copy);
}

function config(folder: string, pageCache: boolean): string {
  return `<?php
define( 'DB_NAME', 'wordpress' ); define( 'DB_USER', '' ); define( 'DB_PASSWORD', '' ); define( 'DB_HOST', '' );
define( 'DB_CHARSET', 'utf8mb4' ); define( 'DB_COLLATE', '' );
define( 'AUTH_KEY', 'test' ); define( 'SECURE_AUTH_KEY', 'test' ); define( 'LOGGED_IN_KEY', 'test' ); define( 'NONCE_KEY', 'test' );
define( 'AUTH_SALT', 'test' ); define( 'SECURE_AUTH_SALT', 'test' ); define( 'LOGGED_IN_SALT', 'test' ); define( 'NONCE_SALT', 'test' );
define( 'WP_DEBUG', true ); define( 'WP_DEBUG_DISPLAY', false ); define( 'WP_DEBUG_LOG', '${folder}/debug.log' );
define( 'DISABLE_WP_CRON', true ); define( 'AUTOMATIC_UPDATER_DISABLED', true ); define( 'WP_AUTO_UPDATE_CORE', false );
define( 'WP_CACHE', ${pageCache} );
$table_prefix = 'wp_';
defined( 'ABSPATH' ) || define( 'ABSPATH', __DIR__ . '/' );
require_once ABSPATH . 'wp-settings.php';
`;
}

function prepare(actionScheduler: boolean): string {
  return `
require_once ABSPATH . 'wp-admin/includes/plugin.php';
update_option( 'home', 'http://${HOST}' );
update_option( 'siteurl', 'http://${HOST}' );
update_option( 'blogname', 'Woo & Sons' );
update_option( 'permalink_structure', '/%postname%/' );
update_option( 'show_on_front', 'posts' );
update_option( 'stand_in_action_scheduler', ${actionScheduler ? 1 : 0} );
wp_set_password( 'password', 1 );
activate_plugin( 'woocommerce/woocommerce.php' );
activate_plugin( 'touchstone-certificates/touchstone-certificates.php' );
return get_option( 'active_plugins' );`;
}

async function run<Result>(folder: string, code: string): Promise<Result> {
  const kept = ['-d', `opcache.file_cache=${join(folder, 'wp-content')}`];
  const child = spawn('php', [...OPCACHE, ...kept, join(TESTS, 'evaluate.php'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(code);
  const [text, status] = await Promise.all([
    child.stdout
      .setEncoding('utf8')
      .toArray()
      .then((parts) => parts.join('')),
    new Promise<number | null>((resolve) => {
      child.once('close', resolve);
    }),
  ]);
  if (status !== 0) throw new Error(`PHP ended with ${status}: ${text}`);
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as Result;
}

async function serve(folder: string): Promise<{ port: number; child: ChildProcess }> {
  const port = await freePort();
  const child = spawn(
    'php',
    ['-q', ...OPCACHE, '-S', `127.0.0.1:${port}`, '-t', folder, join(TESTS, 'router.php')],
    {
      env: { ...process.env, PHP_CLI_SERVER_WORKERS: '3' },
      stdio: 'ignore',
      detached: true,
    },
  );
  for (let tries = 0; tries < 100; tries++) {
    const answers = await ask(port, 'GET', '/readme.html', {}).catch(() => null);
    if (answers !== null) return { port, child };
    await delay(50);
  }
  throw new Error('PHP’s web server does not answer.');
}

function ask(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  form?: Record<string, string> | string,
): Promise<Answer> {
  const isForm = typeof form === 'object';
  const body = isForm ? new URLSearchParams(form).toString() : form;
  const type = isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: { host: HOST, ...type, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function logIn(port: number, user: string, password: string): Promise<string> {
  const form = { log: user, pwd: password, 'wp-submit': 'Log In', testcookie: '1' };
  const answer = await ask(
    port,
    'POST',
    '/wp-login.php',
    { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
    form,
  );
  const cookies = answer.headers['set-cookie'] ?? [];
  if (answer.status !== 302) throw new Error(`The login answers with ${answer.status}.`);
  return cookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

/** Lines of the log about the plugin, or about its files; WordPress and its SQLite driver log messages of their own. */
function complaintsIn(folder: string): string[] {
  return linesOf(join(folder, 'debug.log')).filter((line) =>
    /touchstone|externalProductId/i.test(line.replaceAll(folder, '')),
  );
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}
