import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Anvil } from './anvil';
import type { Blocks } from './chain-blocks';
import { createLies } from './chain-lies';
import { readBody, readJson } from './request-body';

const BODY_BYTES_MAX = 16 * 1024 * 1024;
const Call = z.looseObject({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) });
type Call = z.output<typeof Call>;

const SENDS = new Set(['eth_sendRawTransaction', 'eth_sendTransaction']);
/**
 * Anvil replies to these methods only when the transaction is in a block. Mining needs the lock, so these calls must not hold
 * the lock.
 */
const SENDS_AND_WAITS = new Set(['eth_sendRawTransactionSync', 'eth_sendTransactionSync']);
const CHANGES = /^(anvil|evm|hardhat)_/;

/** The methods `strongroom_setDown` and `strongroom_setDelay` set these faults. */
interface Faults {
  down: boolean;
  delayMs: number;
}

export interface ChainProxy {
  /** Returns the base URL. */
  listen(port: number, host: string): Promise<string>;
  close(): Promise<void>;
}

/** A JSON-RPC server in front of anvil. Each call that changes the chain runs through `blocks`. */
export function createProxy(node: Anvil, blocks: Blocks): ChainProxy {
  const faults: Faults = { down: false, delayMs: 0 };
  const lies = createLies(node);
  const success = (call: Call, result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: call.id ?? null, result });

  function control(call: Call): string | undefined {
    const [value] = call.params;
    if (call.method === 'strongroom_setDown') faults.down = value === true;
    else if (call.method === 'strongroom_setDelay') faults.delayMs = z.number().min(0).parse(value);
    else if (call.method === 'strongroom_setMining') blocks.setMining(value === true);
    else if (!lies.control(call.method, value)) return undefined;
    return success(call, true);
  }

  async function answer(call: Call): Promise<string> {
    const body = JSON.stringify(call);
    const lie = lies.insteadOf(call);
    if (lie !== undefined) return lie;
    if (CHANGES.test(call.method)) return blocks.change(() => node.forward(body));
    if (SENDS_AND_WAITS.has(call.method)) {
      const reply = node.forward(body);
      blocks.transactionArrived();
      return reply;
    }
    const reply = await blocks.read(async () => lies.told(call, await node.forward(body)));
    if (SENDS.has(call.method)) blocks.transactionArrived();
    return reply;
  }

  async function respond(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const parsed = z.union([Call, z.array(Call).min(1)]).safeParse(readJson(await readBody(request, BODY_BYTES_MAX)));
    if (!parsed.success) {
      const error = { code: -32600, message: 'This is not a JSON-RPC request' };
      return { status: 400, body: JSON.stringify({ jsonrpc: '2.0', id: null, error }) };
    }
    if (!Array.isArray(parsed.data)) {
      const controlled = control(parsed.data);
      if (controlled !== undefined) return { status: 200, body: controlled };
    }
    if (faults.down) return { status: 503, body: 'The chain was told to be down' };
    if (faults.delayMs > 0) await delay(faults.delayMs);
    if (!Array.isArray(parsed.data)) return { status: 200, body: await answer(parsed.data) };
    return { status: 200, body: `[${(await Promise.all(parsed.data.map(answer))).join(',')}]` };
  }

  const server = createServer((request, response) => {
    respond(request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      (error: unknown) => response.writeHead(502).end(String(error)),
    );
  });

  return {
    async listen(port, host) {
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('The local chain listens on no port');
      return `http://${host}:${address.port}`;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
