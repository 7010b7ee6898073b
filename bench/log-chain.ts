import { plainChain } from './paced-chain';
import type { Rpc } from './rpc';

/** The first account of a fresh anvil. */
const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const GAS = '0x100000';
export const LOGS_PER_BLOCK = 100;
export const RECIPIENTS = 10_000;
const FIRST_RECIPIENT = 0x1000n << 144n;

/**
 * The code of a contract whose every call emits 100 logs `Transfer(caller, recipient, number)` of ERC-20. The calldata is the
 * first number. The recipient is `FIRST_RECIPIENT` plus the number modulo `RECIPIENTS`.
 */
const CODE =
  '0x60568060095f395ff35f3580606401905b805f52612710810673100000000000000000000000000000000000000001337f' +
  'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60205fa360010181811060075700';

export type LogChain = {
  readonly url: string;
  readonly pid: number;
  readonly rpc: Rpc;
  readonly token: string;
  /** Mines a block that contains the next 100 logs. */
  readonly mine: () => Promise<void>;
  readonly head: () => Promise<number>;
  readonly stop: () => Promise<void>;
};

export const recipientOf = (number: number): string =>
  `0x${(FIRST_RECIPIENT + BigInt(number % RECIPIENTS)).toString(16).padStart(40, '0')}`;

/** Starts an anvil that mines each transaction at once, with `blocks` blocks of 100 logs. */
export async function startLogChain(blocks: number): Promise<LogChain> {
  const chain = await plainChain([]);
  const { rpc } = chain;
  await rpc('eth_sendTransaction', [{ from: SENDER, data: CODE, gas: GAS }]);
  const [{ contractAddress: token }] = (await rpc('eth_getBlockReceipts', ['latest'])) as [{ contractAddress: string }];
  let next = 1;
  const mine = async () => {
    const data = `0x${next.toString(16).padStart(64, '0')}`;
    next += LOGS_PER_BLOCK;
    await rpc('eth_sendTransaction', [{ from: SENDER, to: token, gas: GAS, data }]);
  };
  for (let mined = 0; mined < blocks; mined += 1) await mine();
  return { ...chain, token, mine, head: async () => Number(await rpc('eth_blockNumber')) };
}
