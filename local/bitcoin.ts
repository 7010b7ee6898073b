import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { findNetwork } from '../chains/networks';
import { createLogger } from '../platform/logger';
import { endAtSignal } from '../platform/process-end';
import { CoinBlocks, WATCHED } from './bitcoin-blocks';
import { startCashNode } from './bitcoin-cash-node';
import { startCoinNode } from './bitcoin-node';
import { type CoinConfig, coinConfig } from './config';
import { runProgram } from './program';

const BODY_BYTES_MAX = 16 * 1024 * 1024;
const Call = z.looseObject({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) });
type Call = z.output<typeof Call>;

export interface LocalCoinChain {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a local chain of the Bitcoin family: bitcoind, litecoind or bchd on regtest behind a proxy that mines on demand.
 *
 * The proxy imitates a public test network and reports that network's first block. Regtest has different address prefixes. The
 * difference does no harm: the service sends the node only scripts, and addresses that the node itself has returned. A signet
 * would have the public prefixes, but each of its blocks takes seconds of processor time. A new chain needs a hundred blocks.
 *
 * The proxy has control methods: `strongroom_fund [address, coins]`, `strongroom_setMining [on]`, `strongroom_setDown [on]`,
 * `strongroom_setDelay [ms]`, `strongroom_mine [blocks]`, `strongroom_reorganise [depth]`, `strongroom_setFeeRate [coins per 1000
 * bytes, or null for the node's own estimate]`.
 */
export async function startCoinChain(config: CoinConfig, onDeath: (reason: string) => void): Promise<LocalCoinChain> {
  const network = findNetwork(config.COIN_NETWORK);
  if (network?.family !== 'utxo') throw new Error(`${config.COIN_NETWORK} is not a network of the Bitcoin family`);
  const start = config.COIN_KIND === 'bitcoincash' ? startCashNode : startCoinNode;
  const node = await start(config, onDeath);
  try {
    const blocks = new CoinBlocks(node, { confirmations: config.COIN_CONFIRMATIONS, onDeath });
    await blocks.load();
    const faults: { down: boolean; delayMs: number; feeRate: number | null } = { down: false, delayMs: 0, feeRate: null };

    async function control({ method, params: [value, more] }: Call): Promise<unknown> {
      if (method === 'strongroom_fund') return blocks.fund(z.string().parse(value), z.string().parse(more));
      if (method === 'strongroom_reorganise') await blocks.reorganise(z.int().min(1).parse(value));
      else if (method === 'strongroom_mine') await blocks.mineNow(z.int().min(1).parse(value));
      else if (method === 'strongroom_setMining') blocks.setMining(value === true);
      else if (method === 'strongroom_setDown') faults.down = value === true;
      else if (method === 'strongroom_setDelay') faults.delayMs = z.number().min(0).parse(value);
      else if (method === 'strongroom_setFeeRate') faults.feeRate = z.number().min(0).nullable().parse(value);
      else return undefined;
      return true;
    }

    async function answer(body: string): Promise<{ status: number; body: string }> {
      const call = Call.parse(JSON.parse(body));
      const success = (result: unknown) => ({ status: 200, body: JSON.stringify({ id: call.id ?? null, result, error: null }) });
      const controlled = await control(call);
      if (controlled !== undefined) return success(controlled);
      if (faults.down) return { status: 503, body: 'The chain was told to be down' };
      if (faults.delayMs > 0) await delay(faults.delayMs);
      if (call.method === 'getblockhash' && call.params[0] === 0)
        return success(network?.family === 'utxo' && network.genesisHash);
      // A local chain has no fee market, so a caller can set the fee rate.
      if (call.method === 'estimatesmartfee' && faults.feeRate !== null) return success({ feerate: faults.feeRate, blocks: 2 });
      const reply = await blocks.read(() => node.forward(body, WATCHED));
      if (call.method === 'sendrawtransaction') blocks.transactionArrived();
      return reply;
    }

    const server = createServer((request, response) => {
      readBody(request)
        .then(answer)
        .then(
          ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
          (error: unknown) => response.writeHead(502).end(String(error)),
        );
    });
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(config.COIN_PORT, '127.0.0.1', () => resolve()),
    );
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The local chain listens on no port');
    return {
      url: `http://127.0.0.1:${address.port}`,
      async stop() {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
        await blocks.stop();
        await node.stop();
      },
    };
  } catch (error) {
    await node.stop();
    throw error;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > BODY_BYTES_MAX) throw new Error(`The request is larger than ${BODY_BYTES_MAX} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function main(): Promise<void> {
  const config = coinConfig();
  const log = createLogger(config.COIN_KIND, config.LOG_LEVEL);
  const chain = await startCoinChain(config, (reason) => {
    log.fatal(reason);
    process.exit(1);
  });
  log.info({ url: chain.url, network: config.COIN_NETWORK }, 'the local chain answers');
  endAtSignal(log, () => chain.stop());
}

if (require.main === module) runProgram(main);
