import type { AssetKind } from '../../domain/transfers';
import type { EvmNetwork, FeeCurrency } from './types';

export const evmFacts = (
  network: EvmNetwork,
): {
  readonly chainId: string;
  readonly lacks: readonly AssetKind[];
  readonly feesAlsoIn: readonly FeeCurrency[];
  readonly hasOneSequence: boolean;
} => {
  const { chainId, lacks, hasConfidentialAmounts, feeCurrencies } = network;
  return {
    chainId: String(chainId),
    lacks: hasConfidentialAmounts ? lacks : [...lacks, 'Erc7984'],
    feesAlsoIn: feeCurrencies,
    hasOneSequence: !('nonceKeys' in network),
  };
};
