import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CashWallet, NotThere } from './bitcoin-cash-wallet';
import type { CoinNode } from './bitcoin-node';
import type { CoinConfig } from './config';
import { freePort } from './free-port';
import { startNodeProgram } from './node-program';

const Call = z.looseObject({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) });
const Reply = z.object({ result: z.unknown(), error: z.object({ code: z.number(), message: z.string() }).nullish() });
/** RPC_INVALID_ADDRESS_OR_KEY and RPC_INVALID_PARAMETER of Bitcoin Cash Node (rpc/protocol.h). */
const NOT_THERE = -5;
const OUT_OF_RANGE = -8;

/** bchd and an emulated wallet together accept the same requests as Bitcoin Cash Node. */
export async function startCashNode(config: CoinConfig, onDeath: (reason: string) => void): Promise<CoinNode> {
  const { command, args } = config.COIN_NODE;
  const port = await freePort();
  const folder = config.COIN_FOLDER;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const password = randomBytes(16).toString('hex');
  const wallet = new CashWallet((method, params) => ask(method, params));
  const own = [
    ...['--regtest', '--regtestnoreset', '--nolisten', '--nodnsseed', '--nocfilters', '--configfile=/dev/null'],
    ...[`--datadir=${join(folder, 'chain')}`, `--logdir=${join(folder, 'log')}`, '--dbflushinterval=1'],
    ...['--notls', `--rpclisten=127.0.0.1:${port}`, '--rpcuser=trial', `--rpcpass=${password}`],
    ...['--txindex', '--addrindex', `--miningaddr=${wallet.faucet}`],
  ];

  async function send(body: string): Promise<{ status: number; body: string }> {
    const authorization = `Basic ${Buffer.from(`trial:${password}`).toString('base64')}`;
    const headers = { 'content-type': 'application/json', authorization };
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
    return { status: reply.status, body: await reply.text() };
  }
  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const { body } = await send(JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }));
    const reply = Reply.parse(JSON.parse(body));
    if (reply.error?.code === NOT_THERE) throw new NotThere(reply.error.message);
    if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
    return reply.result;
  }
  const call = async (method: string, params: readonly unknown[] = []) => {
    const answer = wallet.answers(method);
    return answer ? answer(params) : ask(method, params);
  };

  async function forward(text: string) {
    const { id, method, params } = Call.parse(JSON.parse(text));
    const answer = wallet.answers(method);
    if (answer === undefined) {
      const reply = await send(text);
      // bchd has its own error code for a height above the head.
      return method === 'getblockhash' ? { ...reply, body: reply.body.replace('"code":-1,', `"code":${OUT_OF_RANGE},`) } : reply;
    }
    const outcome = await answer(params).then(
      (result) => ({ id: id ?? null, result, error: null }),
      (error: unknown) => {
        if (!(error instanceof NotThere)) throw error;
        return { id: id ?? null, result: null, error: { code: NOT_THERE, message: error.message } };
      },
    );
    return { status: 200, body: JSON.stringify(outcome) };
  }

  const isUp = async () => Number.isInteger(await ask('getblockcount', []));
  const stop = await startNodeProgram(command, [...args, ...own], isUp, onDeath);
  return { forward, call, stop };
}
