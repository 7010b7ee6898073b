import type { ChainNode } from './chain-node';

type Flavour = {
  /** Words that make anvil the chain. */
  readonly args: readonly string[];
  /** What the chain has from its first block on and anvil does not bring. */
  readonly found?: (node: ChainNode) => Promise<void>;
};

const word = (value: bigint | number) => `0x${value.toString(16).padStart(64, '0')}`;

/** https://specs.optimism.io/protocol/predeploys.html */
const L1_BLOCK = '0x4200000000000000000000000000000000000015';
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F';
const GWEI = 10n ** 9n;
/** Slots of `L1Block`: the base fee below it, the overhead and the scalar of its first fee rule. */
const L1_PRICES = [
  [1, GWEI],
  [5, 188],
  [6, 684_000],
] as const;
/** In wei: more than anvil takes for any transaction of a trial at these prices. */
const TOLD_DATA_FEE = 10n ** 11n;
/** PUSH32 fee, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN: the same answer to every question. */
const ORACLE_CODE = `0x7f${word(TOLD_DATA_FEE).slice(2)}5f5260205ff3`;

async function foundRollup(node: ChainNode): Promise<void> {
  for (const [slot, value] of L1_PRICES) await node.call('anvil_setStorageAt', [L1_BLOCK, word(slot), word(value)]);
  await node.call('anvil_setCode', [GAS_PRICE_ORACLE, ORACLE_CODE]);
}

/** Chains that anvil can be, by the rules that their transactions and fees follow. */
const CHAIN_FLAVOURS = {
  Ethereum: { args: [] },
  Optimism: { args: ['--network', 'optimism'], found: foundRollup },
  Celo: { args: ['--celo'] },
  Tempo: { args: ['--network', 'tempo'] },
  // The last rules before EIP-1559, which Ethereum Classic has not taken over.
  Classic: { args: ['--hardfork', 'berlin'] },
} as const satisfies Record<string, Flavour>;

export type ChainFlavour = keyof typeof CHAIN_FLAVOURS;
export const CHAIN_FLAVOUR_NAMES = [
  'Ethereum',
  'Optimism',
  'Celo',
  'Tempo',
  'Classic',
] as const satisfies readonly ChainFlavour[];
export const flavourOf = (name: ChainFlavour): Flavour => CHAIN_FLAVOURS[name];
