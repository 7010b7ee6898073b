import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CoinConfig } from './config';
import { freePort } from './free-port';
import { startNodeProgram } from './node-program';

const Reply = z.object({ result: z.unknown(), error: z.object({ code: z.number(), message: z.string() }).nullish() });

/** A regtest chain that mines only on demand. */
export interface CoinNode {
  /** Sends a JSON-RPC body for the wallet of this name. */
  forward(body: string, wallet: string): Promise<{ status: number; body: string }>;
  /** Throws an error with the method's name if the node refuses the call. */
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
  const isUp = async () => existsSync(cookie) && Number.isInteger(await call('getblockcount'));
  const stop = await startNodeProgram(command, [...args, ...own], isUp, onDeath);
  return { forward, call, stop };
}
