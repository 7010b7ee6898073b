import { NETWORKS_OF, type NetworkName } from '../../domain/networks';

/**
 * How far a network's transfers were verified. `Broadcast`: a node confirmed the transfers. The node ran the chain's own
 * software, or the software that all chains of the same stack share. `Engine`: the chain's own engine executed the transfers
 * without a network. `Vectors`: addresses and signed bytes match an independent implementation, and were never sent.
 */
export const LEVELS = {
  Broadcast: 'broadcast locally',
  Engine: 'executed by the chain’s engine',
  Vectors: 'bytes verified by vectors',
} as const;

/** `by` is the path of the proving test. `names` is a text that the test must contain; the default is the network's name. */
export type Proof = { readonly level: keyof typeof LEVELS; readonly by: string; readonly names?: string };

const evm: Proof = { level: 'Vectors', by: 'test/chains/evm/vectors.test.ts', names: 'NETWORKS_OF.evm' };
const variant = { level: 'Broadcast', by: 'test/end-to-end/evm-variants.test.ts' } as const;

const utxo: Proof = { level: 'Vectors', by: 'test/chains/utxo/vectors.test.ts', names: 'NETWORKS_OF.utxo' };
const coins = { level: 'Broadcast', by: 'test/end-to-end/bitcoin.test.ts' } as const;

/** One row for each served network. `docs/networks.md` is generated from these rows. */
export const VERIFICATION: Readonly<Partial<Record<NetworkName, Proof>>> = {
  ...Object.fromEntries(NETWORKS_OF.evm.map((name) => [name, evm])),
  ...Object.fromEntries(NETWORKS_OF.utxo.map((name) => [name, utxo])),
  Solana: { level: 'Vectors', by: 'test/chains/solana/codec.test.ts', names: 'vectors' },
  SolanaDevnet: { level: 'Engine', by: 'test/end-to-end/solana.test.ts' },
  OptimismSepolia: variant,
  CeloAlfajores: variant,
  TempoModerato: variant,
  EthereumClassicMordor: variant,
  BitcoinSignet: coins,
  LitecoinTestnet: coins,
  BitcoinCashTestnet: coins,
  EthereumSepolia: { level: 'Broadcast', by: 'test/end-to-end/transfer.test.ts', names: 'EthereumSepolia' },
};
