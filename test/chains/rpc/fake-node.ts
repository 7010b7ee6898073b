import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Question = { id: number; method: string; params: unknown[] };
type Behaviour = (question: Question, response: ServerResponse) => void;

/** A node that replies over real HTTP as the test specifies, for example like a public node that is slow, wrong or silent. */
export async function startFakeNode(initial: Behaviour) {
  let behaviour = initial;
  const asked: Question[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const question = JSON.parse(body) as Question;
      asked.push(question);
      behaviour(question, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/secret-key-of-the-account`,
    asked,
    behave(next: Behaviour) {
      behaviour = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const result =
  (value: unknown): Behaviour =>
  ({ id }, response) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: value }));

export const refusal =
  (code: number, message: string): Behaviour =>
  ({ id }, response) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));

/** A behaviour that is chosen by the method of the request. */
export const byMethod =
  (behaviours: Readonly<Record<string, Behaviour>>): Behaviour =>
  (question, response) =>
    (behaviours[question.method] ?? refusal(-32601, 'method not found'))(question, response);

export const text =
  (status: number, body: string, headers: Record<string, string> = {}): Behaviour =>
  (_question, response) =>
    response.writeHead(status, headers).end(body);

export const silence: Behaviour = () => undefined;
