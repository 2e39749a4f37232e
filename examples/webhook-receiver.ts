/**
 * Receives events of a service and believes none that is not signed:
 *
 *   WEBHOOK_SECRET=whsec_… node examples/webhook-receiver.ts 8080
 *
 * (Node 22.18 or later, which runs TypeScript; here also node_modules/.bin/node.)
 *
 * Prints one line for each event. What is to be done about it is done after the answer, for the service waits 15 s only.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const [port] = process.argv.slice(2);
const secret = process.env.WEBHOOK_SECRET;
if (port === undefined || secret === undefined) {
  process.stderr.write('WEBHOOK_SECRET=whsec_… node examples/webhook-receiver.ts <port>\n');
  process.exit(64);
}

const webhook = new Webhook(secret);
/** The same event may come twice; a database would hold this. */
const known = new Set<string>();

const server = createServer(async (request, response) => {
  // the bytes as they came: parsed and written again they would be others
  const body = await text(request);
  let event: { type: string; data: object };
  try {
    event = webhook.verify(body, request.headers as Record<string, string>) as typeof event;
  } catch {
    response.writeHead(401).end();
    process.stdout.write('refused: not signed by the service\n');
    return;
  }
  response.writeHead(204).end();
  const id = String(request.headers['webhook-id']);
  if (known.has(id)) return;
  known.add(id);
  process.stdout.write(`${event.type} ${JSON.stringify(event.data)}\n`);
});
server.listen(Number(port), () => process.stdout.write('listening\n'));
