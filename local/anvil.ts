import { z } from 'zod';
import { freePort } from './free-port';
import { startNodeProgram } from './node-program';

const Reply = z.object({ result: z.unknown(), error: z.object({ message: z.string() }).optional() });

/** An anvil that does not mine by itself. */
export interface Anvil {
  /** Sends a JSON-RPC body, and returns the body of the reply. */
  forward(body: string): Promise<string>;
  /** Throws an error with the method's name if anvil refuses the call. */
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

interface AnvilOptions {
  readonly anvilPath: string;
  readonly chainId: number;
  readonly args: readonly string[];
  /** Called when anvil ends unexpectedly. */
  readonly onDeath: (reason: string) => void;
}

export async function startAnvil({ anvilPath, chainId, args: own, onDeath }: AnvilOptions): Promise<Anvil> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = [
    '--port',
    String(port),
    '--chain-id',
    String(chainId),
    '--no-mining',
    '--quiet',
    '--no-request-size-limit',
    ...own,
  ];
  async function forward(body: string): Promise<string> {
    const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return reply.text();
  }
  async function call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const reply = Reply.parse(JSON.parse(await forward(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))));
    if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
    return reply.result;
  }
  const answers = async () => typeof (await call('eth_chainId')) === 'string';
  const stop = await startNodeProgram(anvilPath, args, answers, onDeath);
  return { forward, call, stop };
}
