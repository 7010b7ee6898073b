import { z } from 'zod';
import type { Anvil } from './anvil';
import { BlockPace, type PaceOptions } from './block-pace';
import { readState, writeState } from './chain-state';

const Block = z.object({ number: z.string(), transactions: z.array(z.unknown()) });
const Pool = z.object({ pending: z.string() });

type BlocksOptions = PaceOptions & { readonly stateFile: string };

/** Each block is on disk before any client can read it. */
export class Blocks {
  private readonly pace: BlockPace;

  constructor(
    private readonly node: Anvil,
    private readonly options: BlocksOptions,
  ) {
    this.pace = new BlockPace(
      {
        pending: () => this.pending(),
        seal: async () => {
          await node.call('evm_mine');
          await this.save();
        },
        height: async () => Number(await node.call('eth_blockNumber')),
        hasTransactions: async (height) => {
          const block = Block.parse(await node.call('eth_getBlockByNumber', [`0x${height.toString(16)}`, false]));
          return block.transactions.length > 0;
        },
      },
      options,
    );
  }

  /** Loads the chain of the last run, and mines the confirming blocks that are still missing. */
  async load(): Promise<void> {
    const state = await readState(this.options.stateFile);
    if (state === undefined) return this.change(async () => undefined);
    await this.pace.change(() =>
      this.node.call('anvil_loadState', [state]).catch((error: unknown) => {
        throw new Error(`The chain in ${this.options.stateFile} cannot be loaded; \`npm run reset\` starts a new one`, {
          cause: error,
        });
      }),
    );
  }

  read<T>(work: () => Promise<T>): Promise<T> {
    return this.pace.read(work);
  }

  /** Runs a change other than mining, such as a reorg, and then writes the chain to disk, in the same way as after a block. */
  async change<T>(work: () => Promise<T>): Promise<T> {
    return this.pace.change(async () => {
      const result = await work();
      await this.save();
      return result;
    });
  }

  transactionArrived(): void {
    this.pace.transactionArrived();
  }

  setMining(on: boolean): void {
    this.pace.setMining(on);
  }

  async stop(): Promise<void> {
    await this.pace.stop(async () => {
      if ((await this.pending()) > 0) await this.node.call('evm_mine');
      await this.save();
    });
  }

  private async pending(): Promise<number> {
    return Number(Pool.parse(await this.node.call('txpool_status')).pending);
  }

  private async save(): Promise<void> {
    const dump = z.string().parse(await this.node.call('anvil_dumpState'));
    await writeState(this.options.stateFile, dump);
  }
}
