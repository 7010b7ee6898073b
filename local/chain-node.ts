import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from './free-port';
import { spawnTied } from './tied-process';

const ANSWERS_WITHIN_MS = 15_000;
const STOPS_WITHIN_MS = 3_000;

const Reply = z.object({ result: z.unknown(), error: z.object({ message: z.string() }).optional() });

/** One running anvil that mines nothing by itself. */
export interface ChainNode {
  /** Passes a JSON-RPC body on and gives anvil's answer as text. */
  forward(body: string): Promise<string>;
  /** One call; throws with the method's name when anvil refuses. */
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

interface NodeOptions {
  readonly anvilPath: string;
  readonly chainId: number;
  readonly args: readonly string[];
  /** Called when anvil ends without having been asked to. */
  readonly onDeath: (reason: string) => void;
}

export async function startNode({ anvilPath, chainId, args: own, onDeath }: NodeOptions): Promise<ChainNode> {
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
  const child = spawnTied(anvilPath, args);
  let wanted = true;
  let fault: string | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string) => {
      fault = reason;
      resolve();
    };
    child.once('error', (error) => end(`anvil cannot be started from ${anvilPath}: ${error.message}`));
    child.once('exit', (code, signal) => end(`anvil ended by itself (${signal ?? `exit code ${code}`})`));
  });

  async function forward(body: string): Promise<string> {
    const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return reply.text();
  }
  async function call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const reply = Reply.parse(JSON.parse(await forward(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))));
    if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
    return reply.result;
  }
  async function stop(): Promise<void> {
    wanted = false;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
    await ended;
    clearTimeout(timer);
  }

  const deadline = performance.now() + ANSWERS_WITHIN_MS;
  while (!(await answers(call))) {
    if (fault !== undefined) throw new Error(fault);
    if (performance.now() > deadline) {
      await stop();
      throw new Error(`anvil did not answer within ${ANSWERS_WITHIN_MS} ms`);
    }
    await delay(20);
  }
  void ended.then(() => {
    if (wanted) onDeath(fault ?? 'anvil ended');
  });
  return { forward, call, stop };
}

async function answers(call: ChainNode['call']): Promise<boolean> {
  return call('eth_chainId').then(
    () => true,
    () => false,
  );
}
