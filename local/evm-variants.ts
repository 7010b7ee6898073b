import type { Anvil } from './anvil';
import { foundConfidentialToken } from './confidential-token';
import { foundSponsoring } from './sponsoring-contracts';

type Variant = {
  /** The arguments make anvil follow the chain's rules. */
  readonly args: readonly string[];
  /** Contracts that the real chain has from its first block on and that anvil lacks. */
  readonly found?: (node: Anvil) => Promise<void>;
};

const word = (value: bigint | number) => `0x${value.toString(16).padStart(64, '0')}`;

/** https://specs.optimism.io/protocol/predeploys.html */
const L1_BLOCK = '0x4200000000000000000000000000000000000015';
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F';
const GWEI = 10n ** 9n;
/** Optimism's two fee scalars, in millionths, in the middle of a storage word. */
const SCALARS = (0x558n << 96n) | (0x558n << 64n);
/** Slots of `L1Block`: the base fee of the underlying chain, the scalars of the rollup's fee formula, and the blob base fee. */
const L1_PRICES = [
  [1, GWEI],
  [3, SCALARS],
  [7, GWEI],
] as const;
/**
 * The data fee that the oracle reports, in wei. With `L1_PRICES`, anvil charges less than this fee for any transaction of a
 * trial.
 */
const TOLD_DATA_FEE = 10n ** 11n;
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';
/** Returns the fee for every call: PUSH32 fee, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN. */
const ORACLE_CODE = `0x7f${word(TOLD_DATA_FEE).slice(2)}5f5260205ff3`;

async function foundRollup(node: Anvil): Promise<void> {
  await foundSponsoring(node);
  for (const [slot, value] of L1_PRICES) await node.call('anvil_setStorageAt', [L1_BLOCK, word(slot), word(value)]);
  await node.call('anvil_setCode', [GAS_PRICE_ORACLE, ORACLE_CODE]);
  // Anvil charges the data fee for `eth_call` too, and the zero address pays for a call without a sender.
  await node.call('anvil_setBalance', [ZERO_ADDRESS, word(10n * GWEI * GWEI)]);
}

async function foundEthereum(node: Anvil): Promise<void> {
  await foundSponsoring(node);
  await foundConfidentialToken(node);
}

const EVM_VARIANTS = {
  Ethereum: { args: [], found: foundEthereum },
  Optimism: { args: ['--network', 'optimism'], found: foundRollup },
  Celo: { args: ['--celo'] },
  Tempo: { args: ['--network', 'tempo'] },
  // The last rules before EIP-1559, which Ethereum Classic has not adopted.
  Classic: { args: ['--hardfork', 'berlin'] },
} as const satisfies Record<string, Variant>;

export type EvmVariant = keyof typeof EVM_VARIANTS;
export const EVM_VARIANT_NAMES = ['Ethereum', 'Optimism', 'Celo', 'Tempo', 'Classic'] as const satisfies readonly EvmVariant[];
export const variantOf = (name: EvmVariant): Variant => EVM_VARIANTS[name];
