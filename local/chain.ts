import { createLogger } from '../platform/logger';
import { endAtSignal } from '../platform/process-end';
import { startAnvil } from './anvil';
import { Blocks } from './chain-blocks';
import { createProxy } from './chain-proxy';
import { type ChainConfig, chainConfig } from './config';
import { variantOf } from './evm-variants';
import { runProgram } from './program';

export interface LocalChain {
  readonly url: string;
  /** Mines the pending transactions and writes the state before anvil ends. */
  stop(): Promise<void>;
}

/**
 * Starts anvil behind a proxy that mines on demand. The proxy shows only blocks that are on disk, so no block that a caller saw
 * is lost if all processes are killed. Pending transactions can be lost, but anvil accepts a lost transaction again. The states
 * of earlier blocks do not survive a restart. Anvil then refuses an `eth_call` at an earlier block, and a reorg that goes back
 * further than the restart.
 */
export async function startChain(config: ChainConfig, onDeath: (reason: string) => void): Promise<LocalChain> {
  const { args, found } = variantOf(config.CHAIN_VARIANT);
  const node = await startAnvil({ anvilPath: config.ANVIL_PATH, chainId: config.CHAIN_ID, args, onDeath });
  try {
    await found?.(node);
    const blocks = new Blocks(node, { stateFile: config.CHAIN_STATE_FILE, confirmations: config.CHAIN_CONFIRMATIONS, onDeath });
    await blocks.load();
    const proxy = createProxy(node, blocks);
    const url = await proxy.listen(config.CHAIN_PORT, config.CHAIN_HOST);
    return {
      url,
      async stop() {
        await proxy.close();
        await blocks.stop();
        await node.stop();
      },
    };
  } catch (error) {
    await node.stop();
    throw error;
  }
}

async function main(): Promise<void> {
  const config = chainConfig();
  const log = createLogger('chain', config.LOG_LEVEL);
  const chain = await startChain(config, (reason) => {
    log.fatal(reason);
    process.exit(1);
  });
  log.info({ url: chain.url, chainId: config.CHAIN_ID }, 'the local chain answers');
  endAtSignal(log, () => chain.stop());
}

if (require.main === module) runProgram(main);
