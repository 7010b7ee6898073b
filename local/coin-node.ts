import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { CoinConfig } from './config';
import { freePort } from './free-port';
import { spawnTied } from './tied-process';

const ANSWERS_WITHIN_MS = 30_000;
/** It writes its whole state when it is asked to end. */
const STOPS_WITHIN_MS = 8_000;

const Reply = z.object({ result: z.unknown(), error: z.object({ code: z.number(), message: z.string() }).nullish() });

/** One running bitcoind or litecoind on its regtest chain, which mines only what it is told to. */
export interface CoinNode {
  /** Passes a JSON-RPC body on to the wallet of this name and gives status and text of the answer. */
  forward(body: string, wallet: string): Promise<{ status: number; body: string }>;
  /** One call; throws with the method's name when the node refuses. */
  call(method: string, params?: readonly unknown[], wallet?: string): Promise<unknown>;
  stop(): Promise<void>;
}

export async function startCoinNode(config: CoinConfig, onDeath: (reason: string) => void): Promise<CoinNode> {
  const { command, args } = config.COIN_NODE;
  const port = await freePort();
  const folder = config.COIN_FOLDER;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = [
    ...['-regtest', `-datadir=${folder}`, '-server=1', '-listen=0', '-dnsseed=0', '-txindex=1', '-fallbackfee=0.0001'],
    ...['-rpcbind=127.0.0.1', '-rpcallowip=127.0.0.1', `-rpcport=${port}`, '-printtoconsole=0'],
  ];
  const child = spawnTied(command, [...args, ...own]);
  let wanted = true;
  let fault: string | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string) => {
      fault = reason;
      resolve();
    };
    child.once('error', (error) => end(`the node cannot be started from ${command}: ${error.message}`));
    child.once('exit', (code, signal) => end(`the node ended by itself (${signal ?? `exit code ${code}`})`));
  });

  const cookie = join(folder, 'regtest', '.cookie');
  async function forward(body: string, wallet = '') {
    const authorization = `Basic ${readFileSync(cookie).toString('base64')}`;
    const path = wallet === '' ? '' : `wallet/${wallet}`;
    const headers = { 'content-type': 'application/json', authorization };
    const reply = await fetch(`http://127.0.0.1:${port}/${path}`, { method: 'POST', headers, body });
    return { status: reply.status, body: await reply.text() };
  }
  async function call(method: string, params: readonly unknown[] = [], wallet = ''): Promise<unknown> {
    const { body } = await forward(JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }), wallet);
    const reply = Reply.parse(JSON.parse(body));
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
  for (;;) {
    if (fault !== undefined) throw new Error(fault);
    const answers = existsSync(cookie) && (await call('getblockcount').then(Number.isInteger, () => false));
    if (answers) break;
    if (performance.now() > deadline) {
      await stop();
      throw new Error(`the node did not answer within ${ANSWERS_WITHIN_MS} ms`);
    }
    await delay(50);
  }
  void ended.then(() => {
    if (wanted) onDeath(fault ?? 'the node ended');
  });
  return { forward, call, stop };
}
