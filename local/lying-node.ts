import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { readBody, readJson } from './request-body';

const BODY_BYTES_MAX = 16 * 1024 * 1024;
const Call = z.looseObject({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) });
const Answer = z.looseObject({ result: z.unknown() });

/** The result that the caller gets instead of the true result. */
export type Lie = (truth: unknown, params: readonly unknown[]) => unknown;

export type LyingNode = {
  readonly url: string;
  /** The lies by method. A change takes effect with the next call. */
  readonly lies: Map<string, Lie>;
  /** If true, the node replies to every call with 503, as a restarting node does. */
  isDown: boolean;
  delayMs: number;
  readonly close: () => Promise<void>;
};

/**
 * A JSON-RPC node on a free loopback port that forwards all calls to `trueUrl`, and replaces the results of the methods
 * in `lies`.
 */
export async function startLyingNode(trueUrl: string): Promise<LyingNode> {
  const ask = async (body: string) => {
    const reply = await fetch(trueUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return { status: reply.status, body: await reply.text() };
  };

  const answerTo = async (body: string): Promise<{ readonly status: number; readonly body: string }> => {
    if (node.isDown) return { status: 503, body: 'The node was told to be down' };
    if (node.delayMs > 0) await delay(node.delayMs);
    const reply = await ask(body);
    const call = Call.safeParse(readJson(body)).data;
    const lie = call && node.lies.get(call.method);
    const answer = Answer.safeParse(readJson(reply.body)).data;
    if (!lie || !answer) return reply;
    return { status: 200, body: JSON.stringify({ ...answer, result: lie(answer.result, call.params) }) };
  };

  const server = createServer((request, response) => {
    readBody(request, BODY_BYTES_MAX)
      .then(answerTo)
      .then(
        ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
        () => response.writeHead(502).end(),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The node has no port');
  const node: LyingNode = {
    url: `http://127.0.0.1:${address.port}`,
    lies: new Map(),
    isDown: false,
    delayMs: 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return node;
}
