import { expect, test } from 'vitest';
import { allowedHostnames, refusal } from './guards.ts';

const behindProxy = allowedHostnames(['https://certificates.example', 'https://tools.example/x'], '0.0.0.0');
const onLoopback = allowedHostnames(['http://127.0.0.1:8787'], '127.0.0.1');

test.each([
  [behindProxy, { host: 'certificates.example' }, true],
  [behindProxy, { host: 'TOOLS.example:443', origin: 'https://tools.example' }, true],
  // who listens for others is not reached under the names of loopback
  [behindProxy, { host: 'localhost:8787' }, false],
  [behindProxy, { host: 'certificates.example', origin: 'http://localhost:3000' }, false],
  [onLoopback, { host: 'localhost:8787', origin: 'http://127.0.0.1:8787' }, true],
  [onLoopback, { host: '[::1]:8787' }, true],
  [onLoopback, { host: 'rebound.example:8787' }, false],
  [onLoopback, { host: 'localhost.rebound.example' }, false],
  [onLoopback, { host: 'localhost', origin: 'null' }, false],
  [onLoopback, {}, false],
])('with %j allowed, a request with %j passes: %s', (allowed, headers, passes) => {
  expect(refusal(headers, allowed) === null).toBe(passes);
});

test('a refusal names the setting that would allow the request', () => {
  expect(refusal({ host: 'x.example' }, behindProxy)).toMatch(/TOUCHSTONE_MCP_URL/);
});
