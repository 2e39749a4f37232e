import { describe, expect, it } from 'vitest';
import { NO_FACTS } from '../types.ts';
import { readPage } from './read-page.ts';

const read = (html: string, url = 'https://shop.example/products/lamp') => readPage(html, { url });
const shopify = '<script>window.Shopify = {}; Shopify.shop = "x.myshopify.com";</script>';

const passwordForm = (action: string, more = '') =>
  `<h1>Geschützt: Lampe</h1><form action="${action}">${more}<input type="password" name="post_password"></form>`;

describe('gates', () => {
  it('include a Shopify password page, by its form or its URL', () => {
    const form = '<form action="/password" method="post"><input type="password" name="password"></form>';
    expect(read(`${shopify}<h1>Opening soon</h1>${form}`).gate).toEqual({
      kind: 'password',
      code: 'shopify_password',
    });
    expect(read(`${shopify}<p>Enter using password</p>`, 'https://shop.example/password').gate?.code).toBe(
      'shopify_password',
    );
  });

  it('include a WooCommerce coming-soon page', () => {
    const html =
      '<body class="woocommerce-coming-soon"><div class="wp-block-woocommerce-coming-soon">Pardon our dust</div></body>';
    expect(read(html).gate).toEqual({ kind: 'password', code: 'coming_soon' });
  });

  it.each([
    ['de', '<title>Wartungsmodus</title>'],
    ['fr', '<h1>Nous serons bientôt de retour.</h1><p>Notre boutique est en maintenance.</p>'],
    ['es', '<h1>En construcción</h1>'],
    ['en', '<h1>Store is coming soon</h1><p>Enter the preview code</p>'],
  ])('include a shop that is temporarily closed (%s)', (lang, html) => {
    expect(read(`<html lang="${lang}">${html}`).gate?.code).toBe('coming_soon');
    const product = '<h1>Lamp</h1><h2>Coming soon</h2><p class="price">5 €</p>';
    expect(read(`<html lang="${lang}"><title>Lamp</title>${product}`).gate).toBeNull();
  });

  it('include a page that asks for a password and no name, in any language', () => {
    expect(read(passwordForm('/wp-login.php?action=postpass')).gate?.code).toBe('page_password');
    expect(read(passwordForm('/wp-login.php')).gate).toBeNull();
    expect(read(passwordForm('/x', '<input type="email">')).gate).toBeNull();
  });

  it.each([
    ['cloudflare_challenge', '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>'],
    [
      'sucuri_challenge',
      '<title>You are being redirected...</title><script>var sucuri_cloudproxy_js=1</script>',
    ],
    ['datadome_challenge', '<title>x</title><script src="https://ct.captcha-delivery.com/c.js"></script>'],
    ['perimeterx_challenge', '<title>Access to this page has been denied</title><div id="px-captcha"></div>'],
    [
      'akamai_challenge',
      `<h1>Access Denied</h1>You don't have permission to access "x" on this server. Reference #18.2f3a`,
    ],
    ['robot_check', '<title>Too Many Requests</title><h1>429Too Many Requests</h1>'],
    ['robot_check', '<title>Robot Check</title><p>Enter the characters you see below</p>'],
    ['robot_check', '<title>Robot or human?</title><p>Activate and hold the button to confirm</p>'],
    ['robot_check', '<title>Vercel Security Checkpoint</title><p>We are verifying your browser</p>'],
    ['robot_check', '<title>Request Rejected</title>The requested URL was rejected. Please consult with us.'],
    ['robot_check', '<title>Please wait</title><p>Complete the security check to continue</p>'],
    ['robot_check', '<title>Prüfung</title><p>Bitte bestätigen Sie, dass Sie kein Roboter sind</p>'],
    ['robot_check', '<title>Вы не робот?</title><p>Подтвердите</p>'],
    ['robot_check', '<script>KPSDK.now = Date.now</script>'],
    ['robot_check', '<meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F">'],
    ['robot_check', '<title>One moment, please...</title><form id="wsidchk-form"></form>'],
    ['robot_check', '<script src="//static.queue-it.net/x.js"></script><h1>You are now in line</h1>'],
  ])('include %s, of which no facts are read', (code, html) => {
    const readFacts = () => {
      throw new Error('facts of a gate');
    };
    const reading = readPage(html, { url: 'https://shop.example/products/lamp' }, readFacts);
    expect(reading.gate).toEqual({ kind: 'challenge', code });
    expect(reading.facts).toEqual(NO_FACTS);
  });

  it('exclude a shop page that loads a bot wall or offers a login', () => {
    const product =
      '<script type="application/ld+json">{"@type":"Product","name":"Lamp","offers":{"price":"5"}}</script>';
    const wall = '<script src="/cdn-cgi/challenge-platform/scripts/x.js"></script><p>just a moment</p>';
    expect(read(`${wall}${product}<form action="/login"><input type="password"></form>`).gate).toBeNull();
    expect(read('<h1>Lamp</h1><form action="/account/login"><input type="password"></form>').gate).toBeNull();
  });
});

describe('platform', () => {
  it.each([
    ['shopify', shopify],
    [
      'shopify',
      '<link href="//cdn.shopify.com/s/files/1/a.css" rel=stylesheet><script src="/cdn/shop/t/1/a.js"></script>',
    ],
    ['woocommerce', '<link rel=stylesheet href="/wp-content/plugins/woocommerce/assets/a.css">'],
    ['woocommerce', '<meta name="generator" content="WooCommerce 9.1.2"><body class="single-product">'],
    ['custom', '<a href="https://x.myshopify.com">a friend</a>'],
    ['custom', '<link rel=stylesheet href="/wp-content/themes/a.css">'],
  ])('is %s', (platform, html) => {
    expect(read(html).platform_detected).toBe(platform);
  });
});
