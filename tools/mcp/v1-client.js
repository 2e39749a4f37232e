// Calls every tool with the client of the protocol's first SDK, and prints the results as JSON.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, calls] = process.argv.slice(2);
const client = new Client({ name: 'v1-client', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const answers = [];
for (const call of JSON.parse(calls)) answers.push(await client.callTool(call));
await client.close();
process.stdout.write(JSON.stringify({ tools: tools.map(({ name }) => name), answers }));
