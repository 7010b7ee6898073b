import { z } from 'zod';
import type { Cell } from '../cases';
import { PARTIES, type Party, rpcAt } from '../chaos/actors';
import type { ChaosNetwork } from '../chaos/schedule';
import { until } from '../faults/polling';
import type { Stage } from '../rig';

type Rpc = Party['rpc'];

/** Returns true once a block contains the transaction again. */
type Resend = () => Promise<true | undefined>;

/** Someone outside of the service who pays, and a node that can replace its last block. */
type Payer = {
  readonly amountUnits: bigint;
  /** Returns the id of the transaction. */
  readonly pay: (rpc: Rpc, address: string) => Promise<string>;
  readonly mine: (rpc: Rpc) => Promise<unknown>;
  /** Replaces the last block. */
  readonly reorganise: (rpc: Rpc) => Promise<unknown>;
  /** Called before the reorganisation. The result sends the transaction again until a block contains it. */
  readonly resend: (rpc: Rpc, txHash: string) => Promise<Resend>;
};

const Text = z.string();
/** The first account of every anvil. */
const RICH = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

const evm: Payer = {
  amountUnits: 1_000n,
  pay: async (rpc, to) => Text.parse(await rpc('eth_sendTransaction', [{ from: RICH, to, value: '0x3e8' }])),
  mine: (rpc) => rpc('evm_mine'),
  reorganise: (rpc) => rpc('anvil_reorg', [1, []]),
  resend: async (rpc, txHash) => {
    const raw = Text.parse(await rpc('eth_getRawTransactionByHash', [txHash]));
    return async () => {
      if ((await rpc('eth_getTransactionReceipt', [txHash])) !== null) return true;
      await rpc('eth_sendRawTransaction', [raw]);
      return undefined;
    };
  },
};

const bitcoin: Payer = {
  amountUnits: 100_000n,
  pay: async (rpc, to) => Text.parse(await rpc('strongroom_fund', [to, '0.001'])),
  mine: (rpc) => rpc('strongroom_mine', [1]),
  reorganise: (rpc) => rpc('strongroom_reorganise', [1]),
  // The node itself puts the transactions of a replaced block into the next block.
  resend: async () => async () => true,
};

const never = async (): Promise<never> => {
  throw new Error('the local Solana network replaces no block');
};
const solana: Payer = {
  amountUnits: 10_000_000n,
  pay: async (rpc, to) => Text.parse(await rpc('requestAirdrop', [to, 10_000_000])),
  mine: never,
  reorganise: never,
  resend: never,
};

const PAYERS: Readonly<Record<ChaosNetwork, Payer>> = { EthereumSepolia: evm, BitcoinSignet: bitcoin, SolanaDevnet: solana };

export const receivedUnits = ({ point }: Cell): bigint => PAYERS[point.network].amountUnits;

const nodeOf = (stage: Stage, { point }: Cell): Rpc => rpcAt(z.number().parse(stage.place().ports[PARTIES[point.network].port]));

/** A stranger pays the wallet of the cell. In the story `reorganised` another block then replaces the block of the payment. */
export async function receive(stage: Stage, cell: Cell): Promise<void> {
  const { address } = z.object({ address: z.string() }).parse(cell.wallet);
  const payer = PAYERS[cell.point.network];
  const rpc = nodeOf(stage, cell);
  if (cell.point.story === 'received') {
    await payer.pay(rpc, address);
    return;
  }
  await rpc('strongroom_setMining', [false]);
  let sendAgain: Resend;
  try {
    const txHash = await payer.pay(rpc, address);
    await payer.mine(rpc);
    await untilIncluded(stage, cell);
    sendAgain = await payer.resend(rpc, txHash);
    cell.phase = 'reorganise';
    await payer.reorganise(rpc);
  } finally {
    // The node may be killed in the meantime. A new start mines by itself.
    await rpc('strongroom_setMining', [true]).catch(() => undefined);
  }
  await until('the chain has the payment again', sendAgain);
}

/** The block must have been read as well: the scanner writes the movement before the block counts as read. */
const untilIncluded = (stage: Stage, { wallet, point }: Cell): Promise<true> =>
  until('the payment is included', async () => {
    const rows = await stage.sql(
      `SELECT 1 FROM movements m JOIN chain_blocks b ON b.network = m.network AND b.height = m.block_height
       WHERE m.subject_id = $1 AND m.network = $2 AND m.status = 'Included' AND b.state = 'Read'`,
      [wallet?.id, point.network],
    );
    return rows.length > 0 ? true : undefined;
  });
